const MIB = 2 ** 20;

/**
 * The most heap that decoded objects may take at one time, in bytes as the store estimates them. A function also
 * holds:
 *
 * - the text for a client or a queue, which is no longer than the objects
 * - the rows of the objects, 390 KB at most each, and the chunks of one large object
 * - itself, 100 MiB
 *
 * `test/integration/memory` runs every function at its memory setting with the worst accepted input.
 */
export const MEMORY = {
  /** One page of a LIST with a limit, or the whole answer of a LIST that must be returned in one piece. */
  list: 256 * MIB,
  /** The objects that a LIST without a limit holds at a time, where it can be streamed. */
  stretch: 64 * MIB,
  /** One page of other paged reads: snapshots, the first events of a watch, objects to delete, lists of any age. */
  page: 16 * MIB,
  /** The changes of one round of dispatch. */
  turn: 64 * MIB,
  /**
   * The selectors of one dispatch shard's subscriptions, as texts and index. A larger shard is split. One batch of
   * hints may concern ten shards.
   */
  shard: 32 * MIB,
  /** The selectors of all shards that a process caches, besides those in use. */
  indexes: 64 * MIB,
} as const;
