import type { Collection, JsonObject, ObjectName } from '../json/index.ts';
import type { Clock, Logger, Metrics, Random } from '../platform/index.ts';
import type { Labels, Selector } from '../selectors/index.ts';
import type { DeclaredCollection } from './declared-collections.ts';
import type { Filler } from './filler.ts';
import type { JournalChange } from './journal.ts';
import type { IndexRead, ReadPurpose } from './list-reads.ts';
import type { ObjectState } from './object.ts';
import type { Origin } from './origin.ts';
import type { CarriedSelector, FindOptions, SelectorMatches, SelectorQuery } from './postings/index.ts';
import type { AccessVersions, Fence } from './preconditions/index.ts';
import type { SeenRow, Sighting } from './seen/index.ts';
import type { Table } from './table.ts';
import type { ReadCost } from './tables/index.ts';
import type { Watermarks } from './watermarks.ts';

/** What the store offers and is asked: its operations, and the shapes that go in and come out. */

/**
 * What a change does to an object. A delete's body is the object's last state. A put may say from when on reconcile
 * is to look whether the object's time is over, in ms since the epoch; one that says `after` was decided from the
 * whole collection as it was at that resourceVersion: it is written as the very next change, or decided again. One
 * that says `turn` was decided after that turn of its collection in its namespace was read ({@link Store.turn}): it
 * takes the next one, or is decided again. One that says `reserves` has all of that for itself from then on, and
 * nothing else; where another object has some of it, it is decided again ({@link Store.reservationHolders}). One that
 * does not say keeps what it has. One that says `selects` is found by these selectors from then on, and by no others
 * ({@link Store.selecting}); one that does not say, by those that it was. One that says `reanchors` is for that
 * alone: where the object is found by just these, nothing is written. A mutation with `fence` commits only while the
 * epoch is unchanged: a process that lost its lease writes nothing.
 */
export type Mutation =
  | {
      readonly kind: 'put';
      readonly body: JsonObject;
      readonly expires?: number;
      readonly after?: number;
      readonly turn?: number;
      readonly reserves?: readonly string[];
      readonly selects?: readonly CarriedSelector[];
      readonly reanchors?: boolean;
      readonly fence?: Fence;
    }
  | { readonly kind: 'delete'; readonly body: JsonObject }
  | { readonly kind: 'none' };

/**
 * Decides the mutation from the object's present state; throws to refuse. Applied again when somebody else
 * wrote in between, so it must not act on the world itself.
 */
export type Change = (current: ObjectState | undefined) => Mutation | Promise<Mutation>;

/** An object as it was read already, and before when: ms since the epoch. */
export interface Known {
  readonly at: number;
  readonly state: ObjectState | undefined;
}

export interface WriteRequest {
  /** Do everything but commit. */
  readonly dryRun?: boolean;
  /**
   * What the first attempt goes by instead of reading the object. Whatever else `change` knows of others must have been
   * read no earlier.
   */
  readonly known?: Known | undefined;
}

export interface PrefetchRequest {
  /** No two of them the same. */
  readonly objects: readonly { readonly collection: Collection; readonly name: ObjectName }[];
  readonly collections: readonly Collection[];
}

export interface Prefetched {
  /** Of the objects that were asked for, in their order. */
  readonly objects: readonly Known[];
  readonly snapshots: Snapshots;
}

export interface WriteOutcome {
  readonly kind: Mutation['kind'];
  readonly before?: ObjectState;
  /** After a delete: the last state stamped with the deletion's resourceVersion. */
  readonly after?: ObjectState;
}

export interface ListRequest {
  readonly namespace?: string;
  /** Only the object of exactly this `metadata.name`. */
  readonly name?: string;
  readonly selector: Selector;
  /** What else must hold, e.g. a field selector. */
  readonly matches?: (object: ObjectState) => boolean;
  /** Objects at most; all of them when undefined. */
  readonly limit?: number;
  /** What the objects may take of the heap, in bytes: a page ends before it would be exceeded, with one at least. */
  readonly mostHeap?: number;
  /** The state at exactly this resourceVersion instead of the most recent. */
  readonly at?: number;
  /** Begin behind this name. */
  readonly after?: ObjectName;
  /** Whether to tell how the objects were found, and what that took. */
  readonly explain?: boolean;
}

export interface ListPage {
  /** Every item is the object's state at this resourceVersion. */
  readonly rv: number;
  readonly items: readonly ObjectState[];
  /** The last name of this page, when more follow: objects that may be selected, or may not. */
  readonly next?: ObjectName;
  /** How many objects follow, selected or not, where they were all read along with this page. */
  readonly remaining?: number;
  /** Where the request asked for it. */
  readonly plan?: ListPlan;
}

/** Whose labels are told, and how many of them at most. */
export interface LabelsRequest
  extends Pick<ListRequest, 'namespace' | 'name' | 'selector' | 'matches' | 'explain'> {
  /** Only of these namespaces, none of them twice; where it is said, `namespace` is not. */
  readonly namespaces?: readonly string[];
  /** Rows of the collection that are worth reading where no index helps, and objects that one may show. */
  readonly most: { readonly rows: number; readonly candidates: number };
}

export interface LabelsRead {
  /** Everything is as it was at this resourceVersion. */
  readonly rv: number;
  /** Objects that match. */
  readonly count: number;
  readonly plan?: ListPlan;
}

/** A stretch of a collection's journal. */
export interface ChangeRange {
  /** The last resourceVersion of the stretch: above the changes, where holes end it. */
  readonly upTo: number;
  readonly changes: readonly JournalChange[];
}

export interface StoreOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** The filler that puts holes for it; absent if the store does so itself. */
  readonly filler?: Filler | undefined;
}

/**
 * Labelled objects in collections, with one journal a collection. Keep one a process: it remembers tails.
 *
 * @throws {ThrottledError} {@link UnavailableError} {@link OutOfTimeError} from every operation.
 */
export interface Store {
  /**
   * The same store for one request: whatever it does is over when `deadline` is, and the journal says of its writes
   * whose they are.
   */
  within(deadline: AbortSignal, origin?: Origin): Store;
  /** The object's present state, read consistently. */
  get(collection: Collection, name: ObjectName): Promise<ObjectState | undefined>;
  /**
   * Applies a change in one transaction; a dry run does everything but commit.
   *
   * @throws {ContentionError} {@link UndecidedError} {@link TooLargeError} {@link LabelLimitError}, and whatever
   * `change` throws. Nothing is written then, but that what is undecided may be.
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
   * Calls for the labels of each object that matches, in no order.
   *
   * @throws {TooManyToCountError}
   */
  visitLabels(
    collection: Collection,
    request: LabelsRequest,
    visit: (labels: Labels) => void,
  ): Promise<LabelsRead>;
  /** The last resourceVersion allotted; 1 for a collection that was never written. */
  head(collection: Collection): Promise<number>;
  /**
   * All objects of small collections, as they are now: whatever was acknowledged before it was asked is in it. Where
   * nothing has changed since this process read them last, that takes one request for all of them together.
   */
  snapshot(collections: readonly Collection[]): Promise<Snapshots>;
  /** Single objects, read consistently, together with such a snapshot: in one request, as that is. */
  prefetch(request: PrefetchRequest): Promise<Prefetched>;
  /**
   * The last turn that was taken in a namespace of a collection; 0 where there is none. A writer that reads the
   * version, lists, and writes the next version has seen all writes with earlier versions. Of two concurrent writers
   * one decides again.
   */
  turn(collection: Collection, namespace: string): Promise<number>;
  /** Which of these reservations there are, and the uids of the objects that have them; read consistently. */
  reservationHolders(reservations: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * All selectors that select an object, those of each carrier as they were at some moment of the look-up.
   *
   * @throws {TooLargeError} there are more than `most`
   */
  selecting(sought: SelectorQuery, asked: Omit<FindOptions, 'table' | 'now'>): Promise<SelectorMatches>;
  /**
   * The collection's changes with `after < rv <= upTo`, ascending, each decided for ever, as far as they are: at
   * least one resourceVersion, for which alone it waits. A reader that continues loses nothing, and waits only for
   * the changes that it needs next.
   *
   * @throws {GoneError} the first is compacted.
   */
  nextChanges(collection: Collection, after: number, upTo: number): Promise<ChangeRange>;
  /** The same without waiting: nothing, where the first is not decided, or compacted. */
  decidedChanges(collection: Collection, after: number, upTo: number): Promise<ChangeRange>;
  /** Of what decides who may do what, the last writes: one row, read consistently. */
  accessVersions(): Promise<AccessVersions>;
  /** The version that rows are written in now: one row, read consistently. */
  schema(): Promise<number>;
  /** When these users were last seen, for those with a record; read consistently. */
  lastSeen(users: readonly string[]): Promise<ReadonlyMap<string, SeenRow>>;
  /** Notes that a user was seen, unless somebody else did since `before` was read. Answers whether it did. */
  noteSeen(sighting: Sighting): Promise<boolean>;
  watermarks(collection: Collection): Promise<Watermarks>;
  raise(collection: Collection, mark: keyof Watermarks, value: number): Promise<void>;
  /** Says that there is a collection, before anything can be in it. */
  declare(declared: DeclaredCollection): Promise<void>;
}

/** The objects of each collection, in no particular order. */
export type Snapshots = ReadonlyMap<Collection, readonly ObjectState[]>;

/** How the names of a LIST are found. */
export type AccessPath = 'nothing' | 'name' | 'rows' | 'index';

/** What a LIST read for one purpose. */
export interface PlanStep extends Readonly<ReadCost> {
  readonly purpose: ReadPurpose;
  /** The requirement read, and the index it was read from. */
  readonly read?: IndexRead;
  /** Whether names were taken from this requirement, or it only told how far to skip. */
  readonly drives?: boolean;
  /** Of a requirement on many values: how its entries were read, if they were. */
  readonly values?: ValuesRead | undefined;
}

/**
 * How the entries of many values were brought into the order of names: each of a few `values` by itself, or all
 * `sorted`; or there were `too-many` values and entries, and they were of no use. `count` values, or entries.
 */
export interface ValuesRead {
  readonly how: 'values' | 'sorted' | 'too-many';
  readonly count: number;
}

/** How a LIST found its objects, and what it took. */
export interface ListPlan {
  readonly access: AccessPath;
  readonly steps: readonly PlanStep[];
  readonly total: Readonly<ReadCost>;
  /** Entries of label indexes read. */
  readonly candidates: number;
  /** How often the requirements let a stretch of an index be skipped. */
  readonly skips: number;
  /** Objects in the answer. */
  readonly matches: number;
  /** Stretches of names that were read one after the other. */
  readonly pages: number;
  /** Objects in the relabel window; undefined where it was not needed, or too much to read. */
  readonly relabelled: number | undefined;
  readonly overlay: Overlay;
}

/** The stretch of the journal that was laid over the rows. */
export interface Overlay {
  /** resourceVersions: after the first, up to the last. */
  readonly after: number;
  readonly upTo: number;
  /** Objects it touches, whatever their names: they are what it says, not what their rows say. */
  readonly objects: number;
}
