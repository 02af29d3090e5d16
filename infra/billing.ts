/** The limits between which auto scaling sets the capacity of the table or an index, in units per second. */
export interface CapacityRange {
  readonly minimum: number;
  readonly maximum: number;
}

/** Provisioned capacity, which costs the same whether it is used or not. */
export interface Provisioned {
  readonly read: CapacityRange;
  readonly write: CapacityRange;
  /** The target utilization in percent. */
  readonly utilization: number;
}

/** The default limits. */
export const CAPACITY: CapacityRange = { minimum: 5, maximum: 1_000 };
export const UTILIZATION = 70;
/** The limits of Application Auto Scaling. */
export const UTILIZATIONS: readonly [least: number, most: number] = [20, 90];

/**
 * The minimum capacity of an index, as a share of the table's minimum. A create takes nine units of the table and one
 * of the index of each label, and most indexes hold little.
 */
const INDEX_SHARE = 0.2;

/** The capacity of one index, given the table's. */
export function ofOneIndex({ read, write, utilization }: Provisioned): Provisioned {
  const share = ({ minimum, maximum }: CapacityRange) => ({
    minimum: Math.ceil(minimum * INDEX_SHARE),
    maximum,
  });
  return { read: share(read), write: share(write), utilization };
}

/**
 * The warm throughput of a table that a deployment may set, in write units a second. The least is that of a new table;
 * the most is DynamoDB's, for an account with a raised quota.
 */
export const WARM_WRITES: readonly [least: number, most: number] = [4_000, 10_000_000];

/** The settings for billing; undefined stands for the default. */
export interface BillingSettings {
  readonly billing: 'on-demand' | 'provisioned';
  readonly readCapacity: CapacityRange | undefined;
  readonly writeCapacity: CapacityRange | undefined;
  /** In percent. */
  readonly targetUtilization: number | undefined;
}

/**
 * The provisioned capacity of these settings; undefined for on-demand billing.
 *
 * @throws {Error} a setting for provisioned capacity is set, but billing is on-demand.
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
