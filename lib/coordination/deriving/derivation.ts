import type { Collection, ObjectName } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { JournalChange, Store, Table } from '../../store/index.ts';

/** An object for which data is derived. In a pseudo-collection, it represents all objects of one kind. */
export interface WorkKey {
  readonly collection: Collection;
  readonly name: ObjectName;
}

/** A resourceVersion for each collection. */
export type Versions = ReadonlyMap<Collection, number>;

/** A request to derive data for a subject from this resourceVersion of a collection or a later one. */
export interface WorkRequest {
  readonly subject: WorkKey;
  readonly collection: Collection;
  readonly rv: number;
}

/** The result of a derivation: the resourceVersions that it read, if it read lists, and the time of its next change. */
export interface Derived {
  readonly seen: Versions;
  /** When time alone changes the result, in ms since the epoch. */
  readonly next?: number;
  /** Further objects to derive for. */
  readonly owed?: readonly WorkRequest[];
}

/** The stores that a derivation reads, limited to the invocation's time. */
export interface DerivingStore {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
}

/** Maps changes to the objects whose derived data they affect. Dispatch uses it. */
export interface ChangeMapper {
  /** All collections that derived data depends on, including those of the objects that data is derived for. */
  readonly collections: ReadonlySet<Collection>;
  /**
   * Returns the objects whose derived data may differ after these changes of one collection. It reads other rows after
   * the changes.
   */
  concerned(
    outside: DerivingStore,
    collection: Collection,
    changes: readonly JournalChange[],
  ): Promise<readonly WorkRequest[]>;
  /** The subject that represents all objects, for use after changes were lost. */
  readonly everybody: WorkKey;
}

/** Derives data from objects. The derive function uses it. */
export interface Derivation extends ChangeMapper {
  /**
   * Identifies the settings of the deployment that affect derived data. If it changes, all objects are derived again.
   */
  readonly chosen: string;
  /** Writes the derived data if it differs. `wanted` holds the requested versions. Rejects if a retry is necessary. */
  derive(outside: DerivingStore, subject: WorkKey, wanted: Versions): Promise<Derived>;
}
