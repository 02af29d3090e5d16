import { type Key, type Row, type Table, tallyKey } from '../../store/index.ts';
import { type Sent, tallyIn } from './tally-rows.ts';

export interface ToldGiven {
  /** Of the state row, and the row as it was read together with the cursor. */
  readonly key: Key;
  readonly row: Row;
  /** Up to where its dispatcher was then. */
  readonly cursor: number;
}

/**
 * What a counted subscription was told, and up to which resourceVersion that is all. Undefined in the middle of an edit,
 * where its set is that of no one selection, and where it changed hands meanwhile.
 *
 * What is counted is read after the cursor: so all up to there is in it.
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
