import type { Position } from './position.ts';
import type { Version } from './version.ts';

/** The stored state of one object. */
export interface Entry {
  readonly key: string;
  readonly version: Version;
  /**
   * The object as JSON; undefined after it left the set. The entry stays, so that an older event does not bring the
   * object back.
   */
  readonly object: string | undefined;
}

/**
 * The store of a replica. A *generation* is one whole set. While a new snapshot arrives, the shown generation and the
 * next one exist together. When an operation resolves, its effect survives a crash.
 *
 * Several processes may share a store, because both writes are conditional.
 */
export interface ReplicaStore {
  /** Returns the last written position; undefined for an empty store. */
  readPosition(): Promise<Position | undefined>;
  /** Writes the position if the stored one has the previous revision. Resolves to whether it was written. */
  writePosition(position: Position): Promise<boolean>;
  read(generation: number, key: string): Promise<Entry | undefined>;
  /** Writes an entry unless the stored one is as new or newer (`isNewer`). Resolves to whether it was written. */
  put(generation: number, entry: Entry): Promise<boolean>;
  /** All entries of a generation, sorted by key, including those of objects that left. */
  entries(generation: number): AsyncIterable<Entry>;
  /** Deletes a whole generation. */
  drop(generation: number): Promise<void>;
}

/** How long a store remembers objects that left the set, in ms: as long as SQS keeps a message. */
export const REMEMBERED = 14 * 24 * 3_600_000;
