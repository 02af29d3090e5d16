import type { Collection, ObjectName } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { JournalChange, Store, Table } from '../../store/index.ts';

/** An object for which something is derived; or, of a pseudo-collection, all objects of some kind. */
export interface WorkKey {
  readonly collection: Collection;
  readonly name: ObjectName;
}

/** How far collections are, by resourceVersion. */
export type Versions = ReadonlyMap<Collection, number>;

/** What is derived for a subject depends on a change of a collection: it is to be of this resourceVersion or later. */
export interface WorkRequest {
  readonly subject: WorkKey;
  readonly collection: Collection;
  readonly rv: number;
}

/** What was derived: from which versions, where lists were read, and when time alone makes it another. */
export interface Derived {
  readonly seen: Versions;
  /** In ms since the epoch. */
  readonly next?: number;
  /** The objects to derive for. */
  readonly owed?: readonly WorkRequest[];
}

/** What of the deployment an answer is read from; the invocation's own. */
export interface DerivingStore {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
}

/** Whose changes concern what is derived: dispatch asks. */
export interface ChangeMapper {
  /** All that anything derived depends on, among them whatever something is derived for. */
  readonly collections: ReadonlySet<Collection>;
  /** The objects whose derived data may differ after these changes of one collection. Read after they are. */
  concerned(
    outside: DerivingStore,
    collection: Collection,
    changes: readonly JournalChange[],
  ): Promise<readonly WorkRequest[]>;
  /** Stands for everybody: changes were lost. */
  readonly everybody: WorkKey;
}

/** How things are derived: the derive function asks. */
export interface Derivation extends ChangeMapper {
  /** Names all that was chosen by the deployment: where it is another, everybody is to be looked at. */
  readonly chosen: string;
  /** Writes what should stand there, or nothing. `wanted`: what it is asked for. Rejects where it is to be tried again. */
  derive(outside: DerivingStore, subject: WorkKey, wanted: Versions): Promise<Derived>;
}
