import { type JsonValue, objectAt } from '../../../json/index.ts';
import { canonicalQuantity, quantityNanos } from '../../../quantities/index.ts';
import { child, key } from '../../field-errors/index.ts';

const UNIT = 10n ** 9n;

/** Warns of amounts of bytes that are not whole: `1500m` of memory. */
export function* fractionWarnings(
  path: string,
  amounts: JsonValue | undefined,
  names: readonly string[],
): Generator<string> {
  const present = objectAt(amounts);
  for (const name of names) {
    const amount = present[name];
    if (amount === undefined || (quantityNanos(String(amount)) ?? 0n) % UNIT === 0n) continue;
    yield `${key(path, name)}: fractional byte value ${JSON.stringify(canonicalQuantity(String(amount)))} is invalid, must be an integer`;
  }
}

/** Warns of the `spec` of a PersistentVolumeClaim. */
export function* claimSpecWarnings(path: string, spec: JsonValue | undefined): Generator<string> {
  const { requests, limits } = objectAt(objectAt(spec).resources);
  yield* fractionWarnings(child(path, 'resources.requests'), requests, ['storage']);
  yield* fractionWarnings(child(path, 'resources.limits'), limits, ['storage']);
}
