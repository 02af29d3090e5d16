import type { Node } from 'constructs';

/** Between how many units a second auto scaling keeps the table, or an index. */
export interface CapacityRange {
  readonly minimum: number;
  readonly maximum: number;
}

/** Capacity that is paid for by the hour, used or not. */
export interface Provisioned {
  readonly read: CapacityRange;
  readonly write: CapacityRange;
  /** How much of it is to be in use, in percent. */
  readonly utilization: number;
}

const CAPACITY: CapacityRange = { minimum: 5, maximum: 1_000 };
const UTILIZATION = 70;
/** Application Auto Scaling takes no other. */
const UTILIZATIONS = { least: 20, most: 90 };

/**
 * An index's part of the least: a create takes nine units of the table and one of the index of each label, and most of
 * the indexes hold little.
 */
const INDEX_SHARE = 0.2;

/** What one index is given, where this is what the table is. */
export function ofOneIndex({ read, write, utilization }: Provisioned): Provisioned {
  const share = ({ minimum, maximum }: CapacityRange) => ({
    minimum: Math.ceil(minimum * INDEX_SHARE),
    maximum,
  });
  return { read: share(read), write: share(write), utilization };
}

/**
 * Reads `billing` and what belongs to it from the context; undefined where every request is paid for by itself.
 *
 * @throws {Error} a value that is not understood, and a capacity for a table that has none.
 */
export function readBilling(node: Node): Provisioned | undefined {
  const given = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    return value === undefined ? undefined : String(value);
  };
  const readCapacity = given('readCapacity');
  const writeCapacity = given('writeCapacity');
  const targetUtilization = given('targetUtilization');
  const billing = given('billing') ?? 'on-demand';
  if (billing === 'provisioned') {
    return {
      read: range('readCapacity', readCapacity),
      write: range('writeCapacity', writeCapacity),
      utilization: percent('targetUtilization', targetUtilization),
    };
  }
  if (billing !== 'on-demand') {
    throw new Error(`the context billing is ${billing}, and neither on-demand nor provisioned`);
  }
  const chosen = Object.entries({ readCapacity, writeCapacity, targetUtilization });
  const [name] = chosen.find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new Error(`the context ${name} is for billing=provisioned only`);
  return undefined;
}

function range(name: string, text: string | undefined): CapacityRange {
  if (text === undefined) return CAPACITY;
  const [, from = '', to = ''] = /^([1-9]\d{0,6})-([1-9]\d{0,6})$/.exec(text) ?? [];
  const [minimum, maximum] = [Number(from), Number(to)];
  if (from !== '' && minimum <= maximum) return { minimum, maximum };
  throw new Error(`the context ${name} is ${text}, and not <minimum>-<maximum> in units a second, as 5-1000`);
}

function percent(name: string, text: string | undefined): number {
  const { least, most } = UTILIZATIONS;
  const value = Number(text ?? UTILIZATION);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`the context ${name} is ${text}, and not a percentage from ${least} to ${most}`);
}
