import type { Clock } from '../platform/index.ts';
import type { Condition, Key, Row, Table, Update } from '../store/index.ts';

/** Another process holds the lease. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';
}

export interface LeaseOptions {
  readonly table: Table;
  readonly clock: Clock;
  /** The row that carries the lease. It is created if it is missing, unless `condition` requires it. */
  readonly key: Key;
  /** The holder; unique to the invocation. */
  readonly holder: string;
  /** The lifetime in ms. It must exceed the longest life of the function that holds the lease. */
  readonly lifetime: number;
  /** A further condition on the row, such as that it exists. */
  readonly condition?: Condition;
  /** Whether acquiring raises the row's `epoch`. Then writes that are fenced by an earlier epoch fail. */
  readonly raisesEpoch?: boolean;
}

/** The time between two attempts to take the lease, in ms. */
const PAUSE = 250;

/** Takes the lease on a row. Returns the row after that, or undefined if another process holds the lease. */
export async function acquireLease(options: LeaseOptions): Promise<Row | undefined> {
  const { table, clock, key, holder, lifetime, condition = [], raisesEpoch = false } = options;
  const now = clock.now();
  const { outcome, row } = await table.update(key, {
    set: { leaseHolder: holder, leaseExpires: now + lifetime },
    ...(raisesEpoch && { add: { epoch: 1 } }),
    condition: [
      ...condition,
      {
        any: [
          { missing: 'leaseExpires' },
          { attribute: 'leaseExpires', is: '<', value: now },
          { attribute: 'leaseHolder', is: '=', value: holder },
        ],
      },
    ],
  });
  return outcome === 'done' ? row : undefined;
}

/**
 * Takes the lease as soon as it is free. Returns the row, which no other process changes now.
 *
 * @throws {LeaseHeldError} another process still holds it at the deadline
 */
export async function waitForLease(lease: LeaseOptions, deadline: AbortSignal): Promise<Row> {
  for (;;) {
    const row = await acquireLease(lease);
    if (row !== undefined) return row;
    if (deadline.aborted) throw new LeaseHeldError(`${lease.key.pk} is leased`);
    await lease.clock.sleep(PAUSE, deadline);
  }
}

/** Releases the lease, if it is still held, and sets these attributes of its row. */
export async function releaseLease(
  { table, key, holder }: LeaseOptions,
  set: NonNullable<Update['set']> = {},
): Promise<void> {
  await table.update(key, {
    set,
    remove: ['leaseHolder', 'leaseExpires'],
    condition: [{ attribute: 'leaseHolder', is: '=', value: holder }],
  });
}
