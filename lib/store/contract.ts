import type { Collection, JsonObject, ObjectName } from '../json/index.ts';
import type { Clock, Logger, Metrics, Random } from '../platform/index.ts';
import type { Labels, Selector } from '../selectors/index.ts';
import type { DeclaredCollection } from './declared-collections.ts';
import type { Filler } from './filler.ts';
import type { History } from './history-contract.ts';
import type { JournalChange } from './journal.ts';
import type { IndexRead, ReadPurpose } from './list-reads.ts';
import type { ObjectState } from './object.ts';
import type { Origin } from './origin.ts';
import type { CarriedSelector, FindOptions, SelectorMatches, SelectorQuery } from './postings/index.ts';
import type { AccessVersions, Fence, RuleVersions } from './preconditions/index.ts';
import type { SeenRow, Sighting } from './seen/index.ts';
import type { Row, Table, TransactItem } from './table.ts';
import type { ReadCost } from './tables/index.ts';
import type { Watermarks } from './watermarks.ts';

/** The contract of the store: its operations, and the types of their arguments and results. */

/** The new state of an object. */
interface Put {
  readonly kind: 'put';
  /** The object after the change. */
  readonly body: JsonObject;
  /** When the collector checks whether the object has expired, in ms since the epoch. */
  readonly expires?: number;
  /**
   * The resourceVersion of the collection that the decision read. The write must be the very next change; otherwise the
   * change is decided again.
   */
  readonly after?: number;
  /**
   * The quota version that the decision read ({@link Claims.turn}). The write replaces this version. If another write
   * has replaced it first, the change is decided again.
   */
  readonly turn?: number;
  /**
   * The complete list of values that only this object may hold ({@link Claims.reservationHolders}). Absent: unchanged. If
   * another object holds one of them, the change is decided again.
   */
  readonly reserves?: readonly string[];
  /** The complete list of the object's selectors in the reverse index ({@link SelectorIndex.selecting}). Absent: unchanged. */
  readonly selects?: readonly CarriedSelector[];
  /** Whether the write only updates postings. Nothing is written if the postings are already those of `selects`. */
  readonly reanchors?: boolean;
  /**
   * The epoch of the writer's lease. The write commits only while the epoch is unchanged, so a process that lost its
   * lease writes nothing.
   */
  readonly fence?: Fence;
}

/** The effect of a change on one object. The `body` of a delete is the object's last state. */
export type Mutation =
  | Put
  | { readonly kind: 'delete'; readonly body: JsonObject }
  | { readonly kind: 'none' };

/**
 * Decides the mutation from the object's current state; throws to refuse. It runs again if another writer changed the
 * object in between, so it must have no side effects.
 */
export type Change = (current: ObjectState | undefined) => Mutation | Promise<Mutation>;

/** An object that the caller has already read. `at` is a time before that read, in ms since the epoch. */
export interface Known {
  readonly at: number;
  readonly state: ObjectState | undefined;
}

export interface WriteRequest {
  /** Do everything but commit. */
  readonly dryRun?: boolean;
  /**
   * The state that the first attempt uses instead of reading the object. `change` must not use data about other
   * objects that was read earlier than this state.
   */
  readonly known?: Known | undefined;
  /**
   * The state that the object has according to its newest journal entry. The write only restores rows to this state;
   * history leaves it out.
   */
  readonly repeats?: ObjectState | undefined;
}

export interface PrefetchRequest {
  /** The objects to read, without duplicates. */
  readonly objects: readonly { readonly collection: Collection; readonly name: ObjectName }[];
  readonly collections: readonly Collection[];
}

export interface Prefetched {
  /** The requested objects, in the order of the request. */
  readonly objects: readonly Known[];
  readonly snapshots: Snapshots;
}

export interface WriteOutcome {
  readonly kind: Mutation['kind'];
  readonly before?: ObjectState;
  /** After a delete: the last state stamped with the deletion's resourceVersion. */
  readonly after?: ObjectState;
  /** After a commit: whether the collection is marked as one that a Subscription or a Tally selects or has selected. */
  readonly isFollowed?: boolean;
}

export interface ListRequest {
  readonly namespace?: string;
  /** Only the object with exactly this `metadata.name`. */
  readonly name?: string;
  readonly selector: Selector;
  /** A further condition on objects, e.g. a field selector. */
  readonly matches?: (object: ObjectState) => boolean;
  /** The maximum number of objects; undefined means all. */
  readonly limit?: number;
  /**
   * The maximum heap size of a page's objects, in bytes. A page ends before it exceeds this, but has at least one
   * object.
   */
  readonly mostHeap?: number;
  /** The state at exactly this resourceVersion instead of the most recent. */
  readonly at?: number;
  /** The name after which the page begins. */
  readonly after?: ObjectName;
  /** Whether the page includes its plan: how the objects were found, and the cost. */
  readonly explain?: boolean;
}

export interface ListPage {
  /** Every item is the object's state at this resourceVersion. */
  readonly rv: number;
  readonly items: readonly ObjectState[];
  /**
   * The last name of this page, if the range of the request continues after it. Objects that follow may or may not
   * match.
   */
  readonly next?: ObjectName;
  /** The number of objects that follow, selected or not. Present only if they were all read along with this page. */
  readonly remaining?: number;
  /** Present if the request has `explain`. */
  readonly plan?: ListPlan;
}

/** The objects whose labels are visited, and the limits of the cost. */
export interface LabelsRequest
  extends Pick<ListRequest, 'namespace' | 'name' | 'selector' | 'matches' | 'explain'> {
  /** Only these namespaces, without duplicates. It cannot be combined with `namespace`. */
  readonly namespaces?: readonly string[];
  /**
   * The maximum number of rows of the collection to read if no index helps, and of candidates to take from an index.
   */
  readonly most: { readonly rows: number; readonly candidates: number };
}

export interface LabelsRead {
  /** The resourceVersion of all visited labels. */
  readonly rv: number;
  /** The number of objects that match. */
  readonly count: number;
  readonly plan?: ListPlan;
}

/** A range of a collection's journal. */
export interface ChangeRange {
  /** The last resourceVersion of the range. It is above the last change if the range ends with holes. */
  readonly upTo: number;
  readonly changes: readonly JournalChange[];
}

/** Called when a write to a collection has committed. `journal` is the part of its transaction that puts the entry. */
export type Committed = (collection: Collection, journal: TransactItem | undefined) => void;

export interface StoreOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** The days for which the store keeps history; default: 1. */
  readonly historyDays?: number | undefined;
  /** The most bytes of an object's row and of a journal entry; default: what DynamoDB takes. Larger bodies are divided. */
  readonly mostRowBytes?: number | undefined;
  /** The filler that fills gaps for this store; absent if the store fills them itself. */
  readonly filler?: Filler | undefined;
  readonly committed?: Committed | undefined;
}

/** The objects of collections: reading, listing and changing them. */
export interface Objects {
  /** The object's current state, read consistently. */
  get(collection: Collection, name: ObjectName): Promise<ObjectState | undefined>;
  /**
   * Applies a change in one transaction; a dry run does everything but commit.
   *
   * @throws {ContentionError} {@link UndecidedError} {@link TooLargeError} {@link LabelLimitError}, and whatever
   * `change` throws. Nothing is written then, except that after an {@link UndecidedError} the write may have been
   * applied.
   */
  write(
    collection: Collection,
    name: ObjectName,
    change: Change,
    options?: WriteRequest,
  ): Promise<WriteOutcome>;
  /** @throws {GoneError} {@link FutureVersionError} */
  list(collection: Collection, request: ListRequest): Promise<ListPage>;
  /**
   * Calls `visit` with the labels of each object that matches, in no particular order.
   *
   * @throws {TooManyToCountError}
   */
  visitLabels(
    collection: Collection,
    request: LabelsRequest,
    visit: (labels: Labels) => void,
  ): Promise<LabelsRead>;
  /**
   * All objects of small collections, as they are now. The result includes every write that was acknowledged before
   * the call. If nothing has changed since this process last read the collections, the call takes one request for all
   * of them.
   */
  snapshot(collections: readonly Collection[]): Promise<Snapshots>;
  /**
   * Single objects, read consistently, and a snapshot like that of {@link Objects.snapshot}. One request reads the
   * objects and the heads.
   */
  prefetch(request: PrefetchRequest): Promise<Prefetched>;
}

/** The journal of each collection: its head, its changes, and its watermarks. */
export interface Journal {
  /** The last resourceVersion allotted; 1 for a collection without any write. */
  head(collection: Collection): Promise<number>;
  /**
   * The collection's changes with `after < rv <= upTo`, ascending. It returns the decided front of that range, and at
   * least one resourceVersion: it waits for the first one only. A reader that continues at `upTo` loses nothing, and
   * waits only for the changes that it needs next.
   *
   * @throws {GoneError} the first is compacted.
   */
  nextChanges(collection: Collection, after: number, upTo: number): Promise<ChangeRange>;
  /**
   * Like {@link nextChanges}, but it does not wait. The range is empty if the first resourceVersion is not decided, or
   * is compacted.
   */
  decidedChanges(collection: Collection, after: number, upTo: number): Promise<ChangeRange>;
  /**
   * The last resourceVersion of the entries directly after `after` that are decided and readable, at most `most` of
   * them; `after` if there is none. It costs half of {@link decidedChanges}, because the read is eventually consistent:
   * an entry that is missing may exist. The store keeps the entries for {@link nextChanges}.
   *
   * @param committed the row of the next entry, if this process has just committed it: it takes the place of the read
   */
  arrived(collection: Collection, after: number, most: number, committed?: Row): Promise<number>;
  watermarks(collection: Collection): Promise<Watermarks>;
  raise(collection: Collection, mark: keyof Watermarks, value: number): Promise<void>;
}

/** Values that only one object or writer may have: quota versions and reservations. */
export interface Claims {
  /**
   * The current quota version of a namespace in a collection; 0 if there is none. A writer reads the version, lists the
   * objects, and replaces the version. So its list shows every write that replaced an earlier version. Of two
   * concurrent writers, one decides again.
   */
  turn(collection: Collection, namespace: string): Promise<number>;
  /** The reservations among these that exist, and the uids of the objects that hold them; read consistently. */
  reservationHolders(reservations: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The reverse index of selectors. */
export interface SelectorIndex {
  /**
   * All selectors that match an object. The selectors of each carrier are from one moment during the look-up.
   *
   * @throws {TooLargeError} there are more than `most`
   */
  selecting(sought: SelectorQuery, asked: Omit<FindOptions, 'table' | 'now'>): Promise<SelectorMatches>;
}

/** Facts about the table as a whole: its collections, its permissions, and the schema of its rows. */
export interface Catalog {
  /** Declares a collection. This must precede the first object in it. */
  declare(declared: DeclaredCollection): Promise<void>;
  /** The resourceVersions of the last writes to the collections that define permissions: one row, read consistently. */
  accessVersions(): Promise<AccessVersions>;
  /**
   * The resourceVersions of the last writes to the collections of admission rules; undefined if no rule counts in the
   * table's row schema.
   *
   * @param versions those that the caller has read already. Without them, it takes those of {@link Within.rules}, or
   * reads the row.
   */
  ruleVersions(versions?: AccessVersions): Promise<RuleVersions | undefined>;
  /** The schema version in which rows are written now: one row, read consistently. */
  schema(): Promise<number>;
}

/** The times of users' last requests. */
export interface Sightings {
  /** The times of these users' last requests, for users with a record; read consistently. */
  lastSeen(users: readonly string[]): Promise<ReadonlyMap<string, SeenRow>>;
  /**
   * Records a request of a user, unless another process has done so since `before` was read. Resolves to whether it
   * wrote the record.
   */
  noteSeen(sighting: Sighting): Promise<boolean>;
}

/** Further properties of the store of one request. */
export interface Within {
  /** Whether the request's first read also reads the versions of the admission rules ({@link Catalog.ruleVersions}). */
  readonly rules?: boolean | undefined;
}

/**
 * Labelled objects in collections, with one journal for each collection. Create one for each process: it caches
 * journal tails.
 */
export interface Store extends Objects, Journal, History, Claims, SelectorIndex, Catalog, Sightings {
  /**
   * The same store for one request. All its operations end at `deadline`, and the journal records `origin` with its
   * writes.
   */
  within(deadline: AbortSignal, origin?: Origin, more?: Within): Store;
}

/** The objects of each collection, in no particular order. */
export type Snapshots = ReadonlyMap<Collection, readonly ObjectState[]>;

/** How a LIST finds names. */
export type AccessPath = 'nothing' | 'name' | 'rows' | 'index';

/** The reads of a LIST for one purpose, and their cost. */
export interface PlanStep extends Readonly<ReadCost> {
  readonly purpose: ReadPurpose;
  /** The requirement that was read, and the index that it was read from. */
  readonly read?: IndexRead;
  /** Whether this requirement supplied names; otherwise it only showed how far to skip. */
  readonly drives?: boolean;
  /** How the entries of a requirement on many values were read, if they were. */
  readonly values?: ValuesRead | undefined;
}

/**
 * How the entries of many values were brought into the order of names. `count` is the number of values or entries.
 *
 * - `values`: each of a few values was read separately.
 * - `sorted`: all entries were read and sorted.
 * - `too-many`: there were too many values and entries, so the requirement was not used.
 */
export interface ValuesRead {
  readonly how: 'values' | 'sorted' | 'too-many';
  readonly count: number;
}

/** How a LIST found its objects, and the cost. */
export interface ListPlan {
  readonly access: AccessPath;
  readonly steps: readonly PlanStep[];
  readonly total: Readonly<ReadCost>;
  /** The number of label index entries that were read. */
  readonly candidates: number;
  /** How many times the requirements allowed the LIST to skip a range of an index. */
  readonly skips: number;
  /** The number of objects in the result. */
  readonly matches: number;
  /** The number of ranges of names that were read one after the other. */
  readonly pages: number;
  /** The number of objects in the relabel window. Undefined if the window was not needed, or was too large to read. */
  readonly relabelled: number | undefined;
  readonly overlay: Overlay;
}

/** The range of the journal that LIST applied on top of the rows. */
export interface Overlay {
  /** The range of resourceVersions: `after` is exclusive, `upTo` inclusive. */
  readonly after: number;
  readonly upTo: number;
  /**
   * The number of objects that the overlay changes, whatever their names. LIST takes their state from the overlay, not
   * from their rows.
   */
  readonly objects: number;
}
