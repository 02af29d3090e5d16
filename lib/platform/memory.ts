const MIB = 2 ** 20;

/**
 * What decoded objects may take of the heap at one time, in bytes as the store estimates them. Beside them a function
 * holds what they become (text for a client or a queue: no longer than they are), the rows they come from (390 KB at
 * most) and itself (100 MiB): `test/integration/memory` runs every function at its memory setting with the worst
 * that is let in.
 */
export const MEMORY = {
  /** The objects of one LIST, or of one page of it where the client gave a limit. */
  list: 256 * MIB,
  /** One page of what is read page by page: snapshots, the first events of a watch, what is to be deleted. */
  page: 16 * MIB,
  /** The changes of one turn of dispatch. */
  turn: 64 * MIB,
} as const;
