import type { Clock } from '../platform/index.ts';
import type { Condition, Key, Row, Table, Update } from '../store/index.ts';

/** Somebody else holds the lease. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';
}

export interface LeaseOptions {
  readonly table: Table;
  readonly clock: Clock;
  /** The row that carries the lease; made when it is missing, unless `condition` says otherwise. */
  readonly key: Key;
  /** The holder; unique to the invocation. */
  readonly holder: string;
  /** Milliseconds; longer than the function that holds it can live. */
  readonly lifetime: number;
  /** What else must hold of the row, e.g. that it is there. */
  readonly condition?: Condition;
  /** Whether taking it raises the row's `epoch`: a write that is fenced by an earlier one comes to nothing. */
  readonly raisesEpoch?: boolean;
}

/** How often is looked whether a lease has ended, in ms. */
const PAUSE = 250;

/** Takes the lease on a row. Answers the row as it is then, or undefined when somebody else holds it. */
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
 * Takes the lease as soon as nobody has it, and answers the row, which nobody else changes now.
 * @throws {LeaseHeldError} somebody has it still at the deadline
 */
export async function waitForLease(lease: LeaseOptions, deadline: AbortSignal): Promise<Row> {
  for (;;) {
    const row = await acquireLease(lease);
    if (row !== undefined) return row;
    if (deadline.aborted) throw new LeaseHeldError(`${lease.key.pk} is leased`);
    await lease.clock.sleep(PAUSE, deadline);
  }
}

/** Gives the lease back, if it is still held, and sets these attributes of its row. */
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
