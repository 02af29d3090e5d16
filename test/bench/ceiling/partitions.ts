import type { Taken } from './capacity.ts';

/** Units a second. */
export interface Rates {
  readonly writes: number;
  readonly reads: number;
}

/**
 * What DynamoDB gives. Sources:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
 */
export interface Limits {
  /** Of one partition: all of its writes, all of its reads, or a mixture of both in proportion. */
  readonly partition: Rates;
  /** Of the whole table. */
  readonly table: Rates;
  /** The seconds of unused capacity that a partition keeps. AWS promises none. */
  readonly burst: number;
}

/** A table in on-demand mode whose warm throughput was raised to the quota of an account. */
export const DYNAMODB: Limits = {
  partition: { writes: 1_000, reads: 3_000 },
  table: { writes: 40_000, reads: 40_000 },
  burst: 0,
};

/** The write units a second of a new table in on-demand mode. */
export const NEW_TABLE_WRITES = 4_000;

const WHOLE_TABLE = 'the table';

/** A bucket of the seconds of capacity that a partition has left. */
interface Bucket {
  seconds: number;
  at: number;
}

/** The partitions of a table and its indexes. Each partition key has a partition of its own, which is never split. */
export class Partitions {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #taken = new Map<string, number>();
  #writes = 0;
  /** How often a partition refused a request. */
  readonly refused = new Map<string, number>();

  /** @param now a clock, in ms */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes units for one request from all of its partitions, or from none: then a partition has no capacity left. */
  take(wanted: readonly Taken[]): boolean {
    for (const key of this.#costsOf(wanted).keys()) {
      if (this.#bucket(key).seconds > 0) continue;
      this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
      return false;
    }
    this.charge(wanted);
    return true;
  }

  /** Takes units that were used already. */
  charge(used: readonly Taken[]): void {
    for (const { writes } of used) this.#writes += writes;
    for (const [key, cost] of this.#costsOf(used)) {
      this.#bucket(key).seconds -= cost;
      this.#taken.set(key, (this.#taken.get(key) ?? 0) + cost);
    }
  }

  /** The write units that were taken. */
  get writes(): number {
    return this.#writes;
  }

  /** The partitions that were used most, in seconds of their capacity. */
  busiest(): readonly (readonly [key: string, seconds: number])[] {
    return [...this.#taken].sort(([, one], [, other]) => other - one);
  }

  /** Forgets what was taken and refused so far. */
  reset(): void {
    this.#taken.clear();
    this.#writes = 0;
    this.refused.clear();
  }

  #costsOf(wanted: readonly Taken[]): ReadonlyMap<string, number> {
    const costs = new Map<string, number>();
    const add = (key: string, { writes, reads }: Taken, of: Rates) =>
      costs.set(key, (costs.get(key) ?? 0) + writes / of.writes + reads / of.reads);
    for (const taken of wanted) {
      add(taken.key, taken, this.#limits.partition);
      add(WHOLE_TABLE, taken, this.#limits.table);
    }
    return costs;
  }

  #bucket(key: string): Bucket {
    const now = this.#now();
    // Capacity is given by the second.
    const most = Math.max(1, this.#limits.burst);
    const bucket = this.#buckets.get(key) ?? { seconds: most, at: now };
    bucket.seconds = Math.min(most, bucket.seconds + (now - bucket.at) / 1_000);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
