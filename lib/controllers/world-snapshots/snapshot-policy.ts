/** When a world is kept. */
export interface SnapshotPolicy {
  /** Not of fewer objects: these are read as fast, and for as little. */
  readonly leastObjects: number;
  /** After so many changes of one collection. A starting process reads the journal from there. */
  readonly changes: number;
  /** After so long in ms, whatever changed: the journal is not kept for ever, nor are the rows. */
  readonly renewal: number;
  /** Characters of one chunk, before it is compressed. */
  readonly chunk: number;
}

export const SNAPSHOT_POLICY: SnapshotPolicy = {
  leastObjects: 1_000,
  changes: 1_000,
  renewal: 12 * 3_600_000,
  chunk: 4 * 1024 * 1024,
};
