import type { Collection } from '../json/index.ts';
import {
  BUCKETS,
  type Clause,
  cursorKey,
  FIRST_VERSION,
  headKey,
  type Row,
  type Table,
} from '../store/index.ts';
import { LeaseHeldError } from './lease.ts';

/** Some subscriptions of a collection that one dispatcher at a time looks after: those of the places from one on. */
export interface DispatchShard {
  readonly collection: Collection;
  /** Its first place, which names it; 0 where nothing is said: all of a collection that was never split. */
  readonly group?: number | undefined;
}

/** How far dispatch is with a group, and up to where it knows who is sent its changes. */
export interface Cursor {
  /** Everything up to here was sent to every synced subscription. */
  readonly position: number;
  /**
   * Counts changes of subscription states. Reconcile raises it after it stores a state, dispatch before. So two reads
   * of the states between which this stays the same are the same.
   */
  readonly members: number;
  /** The `members` before the last turn read the states: whatever was raised up to here was taken into account. */
  readonly seen: number;
  /** The first place that is not the group's any more. */
  readonly until: number;
  /**
   * Where the turn that admitted last was not stored, because its dispatcher died or lost the lease: that turn's name,
   * which begins with the uid of the last subscription that it admits, and sorts behind it. What it asked for may
   * still be carried out. Else ''.
   */
  readonly admitting: string;
  /** What the selectors of its subscriptions take, in bytes, as the last turn that moved it read them. */
  readonly selecting: number;
}

/** Of no row: nothing was dispatched yet. */
export function parseCursor(row: Row | undefined): Cursor {
  const count = (attribute: keyof Cursor, missing = 0) => Number(row?.[attribute] ?? missing);
  const admitting = String(row?.admitting ?? '');
  return {
    position: count('position'),
    members: count('members'),
    seen: count('seen'),
    until: count('until', BUCKETS),
    admitting: admitting === row?.admitted ? '' : admitting,
    selecting: count('selecting'),
  };
}

/** The cursor, undefined where there is no such group; and the last resourceVersion allotted, in one request. */
export async function readProgress(
  table: Table,
  { collection, group = 0 }: DispatchShard,
): Promise<{ readonly cursor: Cursor | undefined; readonly head: number }> {
  const keys = [headKey(collection), cursorKey(collection, group)] as const;
  const rows = await table.batchGet(keys);
  const [head, cursor] = keys.map(({ sk }) => rows.find((row) => row.sk === sk));
  // Where the row of another group is missing it is at no position at all, and certainly not at 0.
  const isThere = cursor !== undefined || group === 0;
  return {
    head: Math.max(FIRST_VERSION, Number(head?.rv ?? 0)),
    cursor: isThere ? parseCursor(cursor) : undefined,
  };
}

/** Whether a turn is due though the journal has nothing new. */
export function hasNewMembers({ members, seen }: Pick<Cursor, 'members' | 'seen'>): boolean {
  return members > seen;
}

export interface CursorMove extends DispatchShard {
  /** Of the group's lease. */
  readonly holder: string;
  /** `admitted`: the turn of {@link Cursor.admitting} that is stored with it, or made good. */
  readonly to: Pick<Cursor, 'position' | 'seen' | 'selecting'> & { readonly admitted: string };
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
  { collection, group, holder, to, isLast }: CursorMove,
): Promise<Cursor & { readonly isReleased: boolean }> {
  const key = cursorKey(collection, group);
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
