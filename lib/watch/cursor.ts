import { type Collection, cursorKey, type Row, type Table } from '../store/index.ts';

/** How far dispatch is with a collection, and up to where it knows who is sent its changes. */
export interface Cursor {
  /** Everything up to here was sent to every synced subscription. */
  readonly position: number;
  /**
   * Raised for every change of who is to be sent changes: by reconcile once it is stored, by dispatch before. So two
   * reads of the states between which this stays the same are the same.
   */
  readonly members: number;
  /** The `members` before the last turn read the states: whatever was raised up to here was taken into account. */
  readonly seen: number;
}

/** Of no row: nothing was dispatched yet. */
export function parseCursor(row: Row | undefined): Cursor {
  const count = (attribute: keyof Cursor) => Number(row?.[attribute] ?? 0);
  return { position: count('position'), members: count('members'), seen: count('seen') };
}

export async function readCursor(table: Table, collection: Collection): Promise<Cursor> {
  return parseCursor(await table.get(cursorKey(collection)));
}

/** Whether a turn is due though the journal has nothing new. */
export function hasNewMembers({ members, seen }: Cursor): boolean {
  return members > seen;
}

/**
 * Says that a state that dispatch goes by was changed. Answers the cursor then: as one row has it all, either the
 * turn under way finds `members` raised when it stores what it has seen, or `seen` is already what it stored.
 */
export async function raiseMembers(table: Table, collection: Collection): Promise<Cursor> {
  const { row } = await table.update(cursorKey(collection), { add: { members: 1 } });
  return parseCursor(row);
}
