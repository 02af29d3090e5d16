import type { Collection, ObjectName } from '../json/index.ts';
import type { TIMING } from '../platform/index.ts';
import type { JournalChange } from './journal.ts';
import type { ObjectState } from './object.ts';

/** The contract of the store's history: its operations, and the types of their arguments and results. */

/**
 * The cursor of a page of an object's history, as plain JSON. It is no secret, and it need not be true: a cursor of
 * another object finds nothing.
 */
export interface HistoryCursor {
  /** The resourceVersion of the next change to read. */
  readonly rv: number;
  /** The resourceVersion of the delete that ended the object's former life, while the walk is in the newest one. */
  readonly tombstone?: number;
}

export interface HistoryRequest {
  readonly name: ObjectName;
  /** Whether to include changes of `status` and `metadata.managedFields` alone. */
  readonly all: boolean;
  /** The maximum number of changes to read. */
  readonly limit: number;
  /** Where an earlier page ended; absent for the first page. */
  readonly from?: HistoryCursor | undefined;
  /** The limits of the caller; none if absent. */
  readonly sight?: HistorySight | undefined;
}

/**
 * The limits of a caller who may not see all objects. Only the changes since the last create of an existing object are read, and
 * none before the first that is not wholly visible. So neither the content nor the time of a page tells of hidden states.
 */
export interface HistorySight {
  /** Whether the caller may see the present object. */
  shows(present: ObjectState): boolean;
  /** Whether the caller may not see what was before the change. */
  endsAt(change: JournalChange): boolean;
}

/**
 * Why history ends:
 *
 * - `Created`: with the create of the object, or of the former object of its name: earlier ones are not linked.
 * - `Expired`: the change before has expired, or there never was any.
 * - `Missing`: the change before is not in the journal, though it has not expired, or older releases wrote it.
 * - `Redefined`: the change before belongs to a removed definition of the kind.
 */
export type HistoryEnd = 'Created' | 'Expired' | 'Missing' | 'Redefined';

/** Exactly one of `next` and `end` is present. */
export interface HistoryPage {
  /** The newest change is the first. */
  readonly changes: readonly JournalChange[];
  readonly next?: HistoryCursor;
  readonly end?: HistoryEnd;
  /** The object as it is now, if it exists; read consistently. Only the first page has it. */
  readonly present?: ObjectState;
}

export interface ChangesBackRequest {
  /** The resourceVersion to begin with, inclusive; by default the head. */
  readonly upTo?: number | undefined;
  /** Only changes of this time and later ones, in ms since the epoch. */
  readonly since?: number | undefined;
  /** Only changes of this time and earlier ones, in ms since the epoch. */
  readonly until?: number | undefined;
  /** The maximum number of journal entries to read. */
  readonly entries: number;
  /** The maximum heap size of the changes' states, in bytes. A page exceeds it by at most one change. */
  readonly bytes: number;
}

/** Exactly one of `next` and `end` is present. */
export interface ChangesBackPage {
  /** The newest change is the first. */
  readonly changes: readonly JournalChange[];
  /** The `upTo` of the next page. */
  readonly next?: number;
  /** Like {@link HistoryEnd}. `Reached`: every requested change was read. */
  readonly end?: Exclude<HistoryEnd, 'Created'> | 'Reached';
}

/** Changes of the past, newest first, as far back as the journal's rows go. They need rows of schema version 4. */
export interface History {
  /** The changes of one name, from its newest life on. */
  historyOf(collection: Collection, request: HistoryRequest): Promise<HistoryPage>;
  /** The changes of a collection. */
  changesBack(collection: Collection, request: ChangesBackRequest): Promise<ChangesBackPage>;
  /**
   * The newest resourceVersion whose entry was written by `time`, in ms since the epoch. Writers' clocks may differ by
   * {@link TIMING.skew}.
   *
   * @throws {GoneError} it is compacted, or too old for a LIST.
   */
  versionAt(collection: Collection, time: number): Promise<number>;
}
