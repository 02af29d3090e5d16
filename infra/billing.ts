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

/** Without a word of the deployer. */
export const CAPACITY: CapacityRange = { minimum: 5, maximum: 1_000 };
export const UTILIZATION = 70;
/** Application Auto Scaling takes no other. */
export const UTILIZATIONS: readonly [least: number, most: number] = [20, 90];

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

/** What a deployer chooses of billing: undefined where the default holds. */
export interface BillingSettings {
  readonly billing: 'on-demand' | 'provisioned';
  readonly readCapacity: CapacityRange | undefined;
  readonly writeCapacity: CapacityRange | undefined;
  /** How much of the capacity is to be in use, in percent. */
  readonly targetUtilization: number | undefined;
}

/**
 * The capacity that these settings ask for; undefined where every request is paid for by itself.
 *
 * @throws {Error} a capacity for a table that has none.
 */
export function provisionedOf({ billing, ...given }: BillingSettings): Provisioned | undefined {
  if (billing === 'provisioned') {
    const { readCapacity = CAPACITY, writeCapacity = CAPACITY, targetUtilization = UTILIZATION } = given;
    return { read: readCapacity, write: writeCapacity, utilization: targetUtilization };
  }
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new Error(`the setting ${name} is for billing=provisioned only`);
  return undefined;
}
