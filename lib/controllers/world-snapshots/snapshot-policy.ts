/** The policy of when and how a world is stored. */
export interface SnapshotPolicy {
  /** The least number of objects. A smaller world is read from its objects as fast and as cheaply. */
  readonly leastObjects: number;
  /**
   * The world is stored after so many changes of one collection. A starting process reads the journal after the stored
   * world.
   */
  readonly changes: number;
  /** The world is stored after this time in ms, whatever changed, because journal entries and snapshot rows expire. */
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
