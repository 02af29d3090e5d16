import type { Clock, Random } from '../platform/index.ts';
import { retryingTable, type Store, type Table } from '../store/index.ts';

interface Outside {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** The same with a patient table and a store, both over when `deadline` is: an invocation's time. */
export function withDeadline<Options extends Outside>(options: Options, deadline?: AbortSignal): Options {
  const store = deadline === undefined ? options.store : options.store.within(deadline);
  return { ...options, table: retryingTable({ ...options, deadline }), store };
}
