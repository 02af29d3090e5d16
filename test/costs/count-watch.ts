import { silentLogger as logger } from '../../lib/platform/index.ts';
import { everything } from '../../lib/selectors/index.ts';
import { createStore, createWatches } from '../../lib/store/index.ts';
import { OwnedClock } from '../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../support/store/memory-table.ts';
import { seeded } from '../support/watch/memory-world.ts';
import { createCounter } from './counting.ts';

const MINUTES = 2;

/**
 * Requests of a minute of a watch to which nothing happens, on a clock of its own; each is the consistent read of
 * one small row, a unit. All watches of one collection in one process share them.
 */
export async function countWatchMinute(): Promise<number> {
  const clock = new OwnedClock();
  const counter = createCounter();
  // The mean of the random pauses.
  const random = { ...seeded(1), fraction: () => 0.5 };
  const store = createStore({ table: counter.table(createMemoryTable()), clock, random, logger });
  const request = {
    selector: everything,
    from: 1,
    bookmarks: true,
    timeout: MINUTES * 60_000,
    signal: new AbortController().signal,
  };
  const read = async () => {
    for await (const _event of await createWatches({ store, clock, random, logger }).open(
      'core/pods',
      request,
    )) {
    }
  };
  await clock.during(read(), { step: 125 });
  return Math.round(counter.take().requests / MINUTES);
}
