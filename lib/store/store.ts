import { type Clock, type Logger, type Metrics, type Random, TIMING } from '../platform/index.ts';
import type { Selector } from '../selectors/index.ts';
import type { JournalChange } from './journal.ts';
import { JournalTail } from './journal-tail.ts';
import type { JsonObject } from './json.ts';
import { listObjects } from './list.ts';
import type { ListPlan } from './list-plan.ts';
import type { Collection, ObjectName, ObjectState } from './object.ts';
import { patientTable } from './patient-table.ts';
import { RelabelWindow } from './relabel-window.ts';
import type { Table } from './table.ts';
import { raiseWatermark, readHead, readWatermarks, type Watermarks } from './watermarks.ts';
import { readObject, writeObject } from './write.ts';

/** What a change does to an object. A delete's body is the object's last state. */
export type Mutation =
  | { readonly kind: 'put'; readonly body: JsonObject }
  | { readonly kind: 'delete'; readonly body: JsonObject }
  | { readonly kind: 'none' };

/**
 * Decides the mutation from the object's present state; throws to refuse. Applied again when somebody else
 * wrote in between, so it must not act on the world itself.
 */
export type Change = (current: ObjectState | undefined) => Mutation | Promise<Mutation>;

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
  /** The last name of this page, when more follow. */
  readonly next?: ObjectName;
  /** Where the request asked for it. */
  readonly plan?: ListPlan;
}

export interface StoreOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/**
 * Labelled objects in collections, with one journal a collection. Keep one a process: it remembers tails.
 *
 * @throws {ThrottledError} {@link UnavailableError} {@link OutOfTimeError} from every operation.
 */
export interface Store {
  /**
   * The same store for one request: whatever it does is over when `deadline` is, and the journal says of its writes
   * that the request of this id made them.
   */
  within(deadline: AbortSignal, auditID?: string): Store;
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
    options?: { readonly dryRun?: boolean },
  ): Promise<WriteOutcome>;
  /** @throws {GoneError} {@link FutureVersionError} */
  list(collection: Collection, request: ListRequest): Promise<ListPage>;
  /** The last resourceVersion allotted; 1 for a collection that was never written. */
  head(collection: Collection): Promise<number>;
  /**
   * The collection's changes with `after < rv <= upTo`, ascending, all decided for ever.
   *
   * @throws {GoneError} some of them are compacted.
   */
  changes(collection: Collection, after: number, upTo: number): Promise<JournalChange[]>;
  watermarks(collection: Collection): Promise<Watermarks>;
  raise(collection: Collection, mark: keyof Watermarks, value: number): Promise<void>;
}

/** What a process remembers of a collection. */
interface Cache {
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
}

export function createStore(options: StoreOptions): Store {
  const { clock, logger, metrics } = options;
  const caches = new Map<Collection, Cache>();
  return openStore(options, (collection) => {
    const cache = caches.get(collection) ?? {
      tail: new JournalTail({ clock, logger, metrics, collection }),
      window: new RelabelWindow({ clock, collection }),
    };
    caches.set(collection, cache);
    return cache;
  });
}

/** Whose store it is: a request's. */
interface Owner {
  readonly deadline?: AbortSignal;
  readonly auditID?: string | undefined;
}

/** The store until its owner's deadline; without one each write has its own. */
function openStore(
  options: StoreOptions,
  cacheOf: (collection: Collection) => Cache,
  { deadline, auditID }: Owner = {},
): Store {
  const { clock, random, metrics } = options;
  const table = patientTable({ ...options, deadline });
  const writing = () =>
    deadline === undefined ? patientTable({ ...options, deadline: clock.deadline(TIMING.request) }) : table;
  return {
    within: (signal, by) => openStore(options, cacheOf, { deadline: signal, auditID: by }),
    get: (collection, name) => readObject(table, collection, name),
    write: (collection, name, change, { dryRun = false } = {}) =>
      writeObject({ table: writing(), clock, random, metrics, collection, name, dryRun, auditID }, change),
    list: (collection, request) => listObjects({ table, collection, ...cacheOf(collection) }, request),
    head: (collection) => readHead(table, collection),
    changes: async (collection, after, upTo) => {
      const view = await cacheOf(collection).tail.cover(table, upTo, after);
      return view.entries.filter(
        (entry): entry is JournalChange => entry.kind === 'change' && entry.rv > after && entry.rv <= upTo,
      );
    },
    watermarks: (collection) => readWatermarks(table, collection),
    raise: (collection, mark, value) => raiseWatermark(table, collection, mark, value),
  };
}
