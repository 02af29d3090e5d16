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

/** A dispatch shard: the subscriptions of a collection in a range of buckets. One dispatcher at a time serves it. */
export interface DispatchShard {
  readonly collection: Collection;
  /**
   * The shard's first bucket, which identifies it; default: 0. Shard 0 holds all subscriptions if the collection was
   * never split.
   */
  readonly group?: number | undefined;
}

/** The cursor of a dispatch shard, and the count of subscription states that dispatch has seen. */
export interface Cursor {
  /** Everything up to this resourceVersion was sent to every synced subscription. */
  readonly position: number;
  /**
   * Counts changes of subscription states. Reconcile raises it after it stores a state, dispatch raises it before. If
   * it does not change between two reads of the states, both reads return the same.
   */
  readonly members: number;
  /** The `members` before the last round read the states. That round used every change up to this count. */
  readonly seen: number;
  /** The first bucket after the shard. */
  readonly until: number;
  /**
   * The name of the last round that activated subscriptions, if it was not stored because its dispatcher crashed or
   * lost the lease. Its requests may still be carried out. Otherwise ''.
   *
   * The name begins with the uid of the last subscription that the round activates, and sorts after that uid.
   */
  readonly admitting: string;
  /** The size of the selectors of its subscriptions, in bytes, as read by the last round that moved the cursor. */
  readonly selecting: number;
}

/** Parses a cursor row. Without a row, nothing was dispatched yet. */
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

/** The position of a dispatch shard beside the head of its collection. */
export interface Progress {
  /** Undefined if the shard does not exist. */
  readonly cursor: Cursor | undefined;
  /** The last resourceVersion that was allotted. */
  readonly head: number;
  /** Whether the collection is marked, so that its writers send hints (`markFollowed`). */
  readonly isMarked: boolean;
}

/**
 * Reads the cursor and the last allotted resourceVersion in one request.
 */
export async function readProgress(
  table: Table,
  { collection, group = 0 }: DispatchShard,
): Promise<Progress> {
  const keys = [headKey(collection), cursorKey(collection, group)] as const;
  const rows = await table.batchGet(keys);
  const [head, cursor] = keys.map(({ sk }) => rows.find((row) => row.sk === sk));
  // Only shard 0 starts without a row. Any other shard without a row does not exist, and has no position.
  const isThere = cursor !== undefined || group === 0;
  return {
    head: Math.max(FIRST_VERSION, Number(head?.rv ?? 0)),
    isMarked: head?.followed === true,
    cursor: isThere ? parseCursor(cursor) : undefined,
  };
}

/** Whether a round is due even without new journal entries. */
export function hasNewMembers({ members, seen }: Pick<Cursor, 'members' | 'seen'>): boolean {
  return members > seen;
}

export interface CursorMove extends DispatchShard {
  /** The holder of the shard's lease. */
  readonly holder: string;
  /**
   * The new values. `admitted` is the {@link Cursor.admitting} of the round that is stored with them, or that was
   * repeated.
   */
  readonly to: Pick<Cursor, 'position' | 'seen' | 'selecting'> & { readonly admitted: string };
  /**
   * Whether the lease ends with the move. It stays if `members` is above `seen`, because then another round follows.
   */
  readonly isLast: boolean;
}

/**
 * Moves the cursor. Returns it with the `members` that were added meanwhile, and whether the lease has ended with it.
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
