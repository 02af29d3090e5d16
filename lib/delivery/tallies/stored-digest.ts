import { type Key, type Row, type Table, tallyKey } from '../../store/index.ts';
import { type Sent, tallyIn } from './tally-rows.ts';

export interface ToldGiven {
  /** The key of the state row, and the row as it was read together with the cursor. */
  readonly key: Key;
  readonly row: Row;
  /** The position of its dispatch shard at that time. */
  readonly cursor: number;
}

/**
 * The digest of the messages that a verified subscription was sent, and the resourceVersion up to which it is complete.
 * Undefined during an edit, when the set belongs to no single selection. Also undefined if the subscription changed its
 * owner meanwhile.
 *
 * The digest is read after the cursor, so it contains all changes up to the cursor.
 */
export async function storedDigest(table: Table, { key, row, cursor }: ToldGiven): Promise<Sent | undefined> {
  const uid = key.sk;
  if (row.membership !== 'synced') {
    const isBetween = row.step !== 'journal';
    return isBetween ? undefined : { position: Number(row.position), tally: String(row.tally) };
  }
  const rows = await table.batchGet([key, tallyKey(uid)]);
  const now = rows.find(({ pk }) => pk === key.pk);
  const [start, attempt] = [Number(row.start), Number(row.attempt)];
  if (now?.membership !== 'synced' || now.start !== start || now.attempt !== attempt) return undefined;
  const sent = tallyIn(
    rows.find(({ pk }) => pk !== key.pk),
    { start, attempt },
  );
  const position = Math.max(cursor, Number(now.position), sent?.position ?? 0);
  return { position, tally: sent?.tally ?? String(now.tally) };
}
