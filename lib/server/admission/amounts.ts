import { isJsonObject, type JsonValue } from '../../json/index.ts';
import { quantityNanos, quantityText } from '../../quantities/index.ts';

/** An amount of a resource: in billionths, and a quantity whose notation is used to print it. */
export interface Amount {
  readonly nanos: bigint;
  readonly like: string;
}

/** Amounts by the resource's name, such as `cpu` or `requests.memory`. */
export type Amounts = ReadonlyMap<string, Amount>;

const UNIT = 10n ** 9n;

export const NOTHING: Amount = { nanos: 0n, like: '0' };

/** Parses a map of quantities, such as `resources.requests`. Values that are not valid quantities are left out. */
export function amountsOf(value: JsonValue | undefined): Amounts {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return new Map(
    entries.flatMap(([name, text]) => {
      const nanos = quantityNanos(String(text));
      return nanos === undefined ? [] : [[name, { nanos, like: String(text) }] as const];
    }),
  );
}

export function count(units: number): Amount {
  return { nanos: BigInt(units) * UNIT, like: '1' };
}

export function plus(one: Amount, other: Amount): Amount {
  return { nanos: one.nanos + other.nanos, like: one.nanos === 0n ? other.like : one.like };
}

/** The sum of two maps of amounts, by name. */
export function added(one: Amounts, other: Amounts): Amounts {
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, plus(sum.get(name) ?? NOTHING, amount));
  return sum;
}

/** The larger of two amounts, by name. */
export function larger(one: Amounts, other: Amounts): Amounts {
  const most = new Map(one);
  for (const [name, amount] of other) {
    const before = most.get(name);
    if (before === undefined || before.nanos < amount.nanos) most.set(name, amount);
  }
  return most;
}

export function textOf({ nanos, like }: Amount): string {
  return quantityText(nanos, like);
}

/** Prints amounts as `cpu=1,memory=2Gi`. */
export function printed(amounts: Amounts): string {
  const sorted = [...amounts].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, amount]) => `${name}=${textOf(amount)}`).join(',');
}
