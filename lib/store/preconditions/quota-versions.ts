import type { Collection } from '../../json/index.ts';
import { TIMING } from '../../platform/index.ts';
import { expiresAt } from '../journal.ts';
import { turnKey } from '../keys.ts';
import type { Condition, Table, TransactItem } from '../table.ts';

/** The quota version of a namespace without a row: no write has been counted there, or none recently. */
const NONE = 0;

/** The current quota version of a namespace in a collection, read consistently. */
export async function readQuotaVersion(
  table: Table,
  collection: Collection,
  namespace: string,
): Promise<number> {
  const row = await table.get(turnKey(collection, namespace));
  return Number(row?.rv ?? NONE);
}

/** The quota version that a write depends on and replaces. */
export interface QuotaVersion {
  readonly namespace: string;
  /** The current version, as the writer read it. */
  readonly after: number;
}

/**
 * The quota version, as an item of the write's transaction. Its value is the write's resourceVersion, which no other
 * write has. So a row that expired and was put again never looks like the one that was read.
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
