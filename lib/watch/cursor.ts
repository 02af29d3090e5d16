import {
  type Clause,
  type Collection,
  cursorKey,
  FIRST_VERSION,
  headKey,
  type Row,
  type Table,
} from '../store/index.ts';
import { LeaseHeldError } from './lease.ts';

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

/** The cursor, and the last resourceVersion allotted, in one request. */
export async function readProgress(
  table: Table,
  collection: Collection,
): Promise<{ readonly cursor: Cursor; readonly head: number }> {
  const keys = [headKey(collection), cursorKey(collection)] as const;
  const rows = await table.batchGet(keys);
  const [head, cursor] = keys.map(({ sk }) => rows.find((row) => row.sk === sk));
  return { head: Math.max(FIRST_VERSION, Number(head?.rv ?? 0)), cursor: parseCursor(cursor) };
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

export interface CursorMove {
  readonly collection: Collection;
  /** Of the collection's lease. */
  readonly holder: string;
  readonly to: Pick<Cursor, 'position' | 'seen'>;
  /** Whether the lease ends with the move, unless `members` is above `seen`: then another turn follows. */
  readonly isLast: boolean;
}

/**
 * Moves the cursor. Answers it with what was raised meanwhile, and whether the lease has ended with it.
 *
 * @throws {LeaseHeldError} the lease was lost.
 */
export async function moveCursor(
  table: Table,
  { collection, holder, to, isLast }: CursorMove,
): Promise<Cursor & { readonly isReleased: boolean }> {
  const key = cursorKey(collection);
  const leased: Clause = { attribute: 'leaseHolder', is: '=', value: holder };
  if (isLast) {
    const none: readonly Clause[] = to.seen === 0 ? [{ missing: 'members' }] : [];
    const nothingNew: Clause = { any: [{ attribute: 'members', is: '=', value: to.seen }, ...none] };
    const { outcome, row } = await table.update(key, {
      set: to,
      remove: ['leaseHolder', 'leaseExpires'],
      condition: [leased, nothingNew],
    });
    if (outcome === 'done') return { ...parseCursor(row), isReleased: true };
  }
  const { outcome, row } = await table.update(key, { set: to, condition: [leased] });
  if (outcome !== 'done') throw new LeaseHeldError(`the lease on ${key.pk} was lost`);
  return { ...parseCursor(row), isReleased: false };
}
