import type { Position } from './position.ts';
import type { Version } from './version.ts';

/** What is known of one object. */
export interface Entry {
  readonly key: string;
  readonly version: Version;
  /** The object as JSON; undefined once it left the set: an older event must not bring it back. */
  readonly object: string | undefined;
}

/**
 * Where a replica is kept. A *generation* is one whole set: while a fresh snapshot comes in, the one that is shown and
 * the next one are there together. What an operation resolved is there after a crash.
 *
 * Several processes may share a store: both writes are conditional.
 */
export interface ReplicaStore {
  /** What was written last; undefined in an empty store. */
  readPosition(): Promise<Position | undefined>;
  /** Writes the position if the one that is there has the revision before it. Resolves to whether it did. */
  writePosition(position: Position): Promise<boolean>;
  read(generation: number, key: string): Promise<Entry | undefined>;
  /** Puts an entry unless one that is as new is there (`isNewer`). Resolves to whether it did. */
  put(generation: number, entry: Entry): Promise<boolean>;
  /** All entries of a generation by ascending keys, those of objects that left among them. */
  entries(generation: number): AsyncIterable<Entry>;
  /** Deletes a whole generation. */
  drop(generation: number): Promise<void>;
}

/** How long what left the set is remembered: as long as SQS keeps a message. In ms. */
export const REMEMBERED = 14 * 24 * 3_600_000;
