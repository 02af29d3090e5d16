const MIB = 2 ** 20;

/**
 * What decoded objects may take of the heap at one time, in bytes as the store estimates them. Beside them a function
 * holds what they become (text for a client or a queue: no longer than they are), the rows they come from (390 KB at
 * most) and itself (100 MiB): `test/integration/memory` runs every function at its memory setting with the worst
 * that is let in.
 */
export const MEMORY = {
  /** One page of a LIST with a limit, and the whole of one that has to be answered in one piece. */
  list: 256 * MIB,
  /** What a LIST without a limit holds at a time, where it can be written out as it is read. */
  stretch: 64 * MIB,
  /**
   * One page of what is read page by page: snapshots, the first events of a watch, what is to be
   * deleted, lists of any age.
   */
  page: 16 * MIB,
  /** The changes of one turn of dispatch. */
  turn: 64 * MIB,
  /**
   * What the subscriptions of one dispatch shard select by, texts and index. A larger shard is split. One batch of
   * hints may be of ten shards at a time.
   */
  shard: 32 * MIB,
  /** The same of all shards that a process keeps, besides those in use. */
  indexes: 64 * MIB,
} as const;
