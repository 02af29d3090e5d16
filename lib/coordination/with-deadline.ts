import type { Clock, Random } from '../platform/index.ts';
import { retryingTable, type Store, type Table } from '../store/index.ts';

interface Outside {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Replaces the table with a retrying one and limits it and the store to `deadline`, the end of the invocation's time.
 */
export function withDeadline<Options extends Outside>(options: Options, deadline?: AbortSignal): Options {
  const store = deadline === undefined ? options.store : options.store.within(deadline);
  return { ...options, table: retryingTable({ ...options, deadline }), store };
}
