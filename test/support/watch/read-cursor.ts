import { type Cursor, parseCursor } from '../../../lib/coordination/cursor.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { cursorKey, type Table } from '../../../lib/store/index.ts';

/** The cursor of a group; of the first one, where none is named. */
export async function readCursor(table: Table, collection: Collection, group = 0): Promise<Cursor> {
  return parseCursor(await table.get(cursorKey(collection, group)));
}
