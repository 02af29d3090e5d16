import { silentLogger as logger } from '../../lib/platform/index.ts';
import { everything } from '../../lib/selectors/index.ts';
import { createStore, createWatches, type Table } from '../../lib/store/index.ts';
import { OwnedClock } from '../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../support/store/memory-table.ts';
import { seeded } from '../support/watch/memory-world.ts';

const MINUTES = 2;
const COLLECTION = 'core/pods';

/**
 * Read units of a minute of a watch, on a clock of its own. All watches of one collection in one process share them.
 *
 * @param every how many ms changes are apart; undefined: nothing happens
 */
export async function countWatchMinute(every?: number): Promise<number> {
  const clock = new OwnedClock();
  // The mean of the random pauses.
  const random = { ...seeded(1), fraction: () => 0.5 };
  const table = createMemoryTable();
  const counted = countUnits(table);
  const store = createStore({ table: counted.table, clock, random, logger });
  const writing = createStore({ table, clock, random, logger });
  const timeout = MINUTES * 60_000;
  const leaving = new AbortController();
  const request = { selector: everything, from: 1, bookmarks: true, timeout, signal: leaving.signal };
  const read = async () => {
    const events = await createWatches({ store, clock, random, logger }).open(COLLECTION, request);
    for await (const _event of events) {
    }
    leaving.abort();
  };
  const write = async (pause: number) => {
    while (!leaving.signal.aborted) {
      await clock.sleep(pause, leaving.signal);
      const body = { metadata: { name: 'a', annotations: { at: String(clock.now()) } } };
      await writing.write(COLLECTION, { namespace: 'default', name: 'a' }, () => ({ kind: 'put', body }));
    }
  };
  const all = Promise.all([read(), every === undefined ? undefined : write(every)]);
  await clock.during(all, { step: 5 });
  return Math.round(counted.units() / MINUTES);
}

/** Counts the units of reads of small rows: 1 for each key, and half as much for eventually consistent reads. */
function countUnits(table: Table): { readonly table: Table; units(): number } {
  let units = 0;
  const count = (keys: number, reading: string | undefined) => {
    units += reading === 'eventual' ? keys / 2 : keys;
  };
  return {
    table: {
      ...table,
      get: (key, signal, reading) => {
        count(1, reading);
        return table.get(key, signal, reading);
      },
      batchGet: (keys, signal, reading) => {
        count(keys.length, reading);
        return table.batchGet(keys, signal, reading);
      },
    },
    units: () => units,
  };
}
