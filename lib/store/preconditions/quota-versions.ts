import type { Collection } from '../../json/index.ts';
import { TIMING } from '../../platform/index.ts';
import { expiresAt } from '../journal.ts';
import { turnKey } from '../keys.ts';
import type { Condition, Table, TransactItem } from '../table.ts';

/** No turn was taken, or none for long. */
const NONE = 0;

/** The last turn taken in a namespace of a collection, read consistently. */
export async function readQuotaVersion(
  table: Table,
  collection: Collection,
  namespace: string,
): Promise<number> {
  const row = await table.get(turnKey(collection, namespace));
  return Number(row?.rv ?? NONE);
}

/** A turn to take. */
export interface QuotaVersion {
  readonly namespace: string;
  /** The last one, as it was read. */
  readonly after: number;
}

/**
 * A turn, as part of the transaction that it is for. It has the name of the write's resourceVersion, which no other
 * write has: a row that expired meanwhile, and was put anew, is never taken for the one that was read.
 */
export function turnItem(collection: Collection, turn: QuotaVersion, { rv, time }: TakenAt): TransactItem {
  const condition: Condition =
    turn.after === NONE ? [{ missing: 'pk' }] : [{ attribute: 'rv', is: '=', value: turn.after }];
  const row = { ...turnKey(collection, turn.namespace), rv, ttl: expiresAt(time, TIMING.tombstone) };
  return { put: row, condition };
}

interface TakenAt {
  readonly rv: number;
  readonly time: number;
}
