import { silentLogger } from '../../../lib/platform/index.ts';
import { createStore, type Store, type Table } from '../../../lib/store/index.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { seeded } from '../watch/memory-world.ts';
import { createMemoryTable } from './memory-table.ts';

/** A store on an empty table in memory, whose clock a test moves. */
export function createMemoryStore(table = createMemoryTable()): {
  readonly table: Table;
  readonly clock: OwnedClock;
  readonly store: Store;
} {
  const clock = new OwnedClock();
  return { table, clock, store: createStore({ table, clock, random: seeded(1), logger: silentLogger }) };
}
