import type { Clock } from '../platform/index.ts';
import type { Condition, Key, Row, Table, Update } from '../store/index.ts';

/** Another dispatcher holds the collection's lease. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';
}

export interface LeaseOptions {
  readonly table: Table;
  readonly clock: Clock;
  /** The row that carries the lease; made when it is missing, unless `condition` says otherwise. */
  readonly key: Key;
  /** Who asks; unique to the invocation. */
  readonly holder: string;
  /** Milliseconds; longer than the function that holds it can live. */
  readonly lifetime: number;
  /** What else must hold of the row, e.g. that it is there. */
  readonly condition?: Condition;
}

/** Takes the lease on a row. Answers the row as it is then, or undefined when somebody else holds it. */
export async function acquireLease(options: LeaseOptions): Promise<Row | undefined> {
  const { table, clock, key, holder, lifetime, condition = [] } = options;
  const now = clock.now();
  const { outcome, row } = await table.update(key, {
    set: { leaseHolder: holder, leaseExpires: now + lifetime },
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
