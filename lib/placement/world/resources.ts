import { quantityNanos } from '../../quantities/index.ts';
import { labelKeyErrors } from '../../selectors/index.ts';
import type { ResourceList } from '../objects.ts';
import { type Amount, amountOf, plus } from './amount.ts';

/** Amounts of resources by name, in billionths. */
export type Nanos = ReadonlyMap<string, bigint>;

/** The amounts that kube-scheduler counts: cpu in thousandths, other resources in whole units. */
export interface Resources {
  readonly cpu: Amount;
  readonly memory: Amount;
  readonly ephemeralStorage: Amount;
  /** The number of pods that a node takes. A pod requests none. */
  readonly pods: Amount;
  /** Extended resources, huge pages and others. Amounts of 0 are included. */
  readonly scalars: ReadonlyMap<string, Amount>;
}

const UNIT = 10n ** 9n;
const MILLI = 10n ** 6n;
/** A cache of parsed quantities. A cluster has few distinct texts. */
const MOST_TEXTS = 10_000;

const known = new Map<string, bigint>();
const scalarNames = new Map<string, boolean>();

export const NO_RESOURCES: Resources = {
  cpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  pods: 0,
  scalars: new Map(),
};

/** Text that is no quantity counts as 0. */
export function nanosOf(list: ResourceList | null | undefined): Map<string, bigint> {
  const nanos = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(list ?? {})) nanos.set(name, readNanos(String(quantity)));
  return nanos;
}

export function resourcesOf(nanos: Nanos): Resources {
  const amount = (name: string, unit = UNIT) => amountOf(nanos.get(name) ?? 0n, unit);
  const scalars = new Map<string, Amount>();
  for (const name of nanos.keys()) if (isScalar(name)) scalars.set(name, amount(name));
  return {
    cpu: amount('cpu', MILLI),
    memory: amount('memory'),
    ephemeralStorage: amount('ephemeral-storage'),
    pods: amount('pods'),
    scalars,
  };
}

export function addResources(one: Resources, other: Resources): Resources {
  return {
    cpu: plus(one.cpu, other.cpu),
    memory: plus(one.memory, other.memory),
    ephemeralStorage: plus(one.ephemeralStorage, other.ephemeralStorage),
    pods: plus(one.pods, other.pods),
    scalars: addScalars(one.scalars, other.scalars),
  };
}

/** Returns the amounts with the opposite sign. */
export function negated({ cpu, memory, ephemeralStorage, pods, scalars }: Resources): Resources {
  return {
    cpu: -cpu,
    memory: -memory,
    ephemeralStorage: -ephemeralStorage,
    pods: -pods,
    scalars: new Map([...scalars].map(([name, amount]) => [name, -amount])),
  };
}

function addScalars(
  one: ReadonlyMap<string, Amount>,
  other: ReadonlyMap<string, Amount>,
): ReadonlyMap<string, Amount> {
  if (other.size === 0) return one;
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, plus(sum.get(name) ?? 0, amount));
  return sum;
}

function readNanos(text: string): bigint {
  let nanos = known.get(text);
  if (nanos === undefined) {
    nanos = quantityNanos(text) ?? 0n;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, nanos);
  }
  return nanos;
}

function isScalar(name: string): boolean {
  let scalar = scalarNames.get(name);
  if (scalar === undefined) {
    scalar = isScalarName(name);
    if (scalarNames.size >= MOST_TEXTS) scalarNames.clear();
    scalarNames.set(name, scalar);
  }
  return scalar;
}

/** Whether kube-scheduler counts a resource of this name. It ignores others. */
function isScalarName(name: string): boolean {
  if (name.includes('kubernetes.io/')) return true;
  if (name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')) return true;
  const isExtended = name.includes('/') && !name.startsWith('requests.');
  return isExtended && labelKeyErrors(`requests.${name}`).length === 0;
}
