import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../../lib/selectors/index.ts';
import type { Store, Table } from '../../../../lib/store/index.ts';
import { headKey, objectPartition } from '../../../../lib/store/keys.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { freshCollection, openStore, put, spell } from '../../../support/store/store-fixture.ts';

let table: Table;
let writer: Store;
let collection: Collection;

beforeEach(() => {
  table = createMemoryTable();
  writer = openStore(table);
  collection = freshCollection();
});

const selector = parseSelector('app=web');

describe('a LIST by an index', () => {
  it('takes four steps and five requests to include changes since the last one', async () => {
    for (const name of ['a', 'b']) await put(writer, collection, name, { labels: { app: 'web' } });
    const { watched, steps, requests } = watching(table);
    const reader = openStore(watched);
    await reader.list(collection, { selector });
    await put(writer, collection, 'b', { labels: { app: 'web' }, spec: { changed: true } });
    const [stepsBefore, requestsBefore] = [steps(), requests()];
    expect(spell(await reader.list(collection, { selector }))).toEqual(['a@2', 'b@4']);
    expect([steps() - stepsBefore, requests() - requestsBefore]).toEqual([4, 5]);
  });

  it.each([
    ['began to match', { app: 'db' }, { app: 'web' }, ['a@3']],
    ['ceased to match', { app: 'web' }, { app: 'db' }, []],
  ])(
    'shows the current state of an object that %s after the index was read and before the head',
    async (_, from, to, listed) => {
      await put(writer, collection, 'a', { labels: from });
      const index = Promise.withResolvers<void>();
      const late: Table = {
        ...table,
        query: async (request) => {
          const page = await table.query(request);
          if (request.index !== undefined) index.resolve();
          return page;
        },
        get: async (key) => {
          if (key.pk !== headKey(collection).pk) return table.get(key);
          await index.promise;
          if ((await writer.head(collection)) === 2) await put(writer, collection, 'a', { labels: to });
          return table.get(key);
        },
      };
      const page = await openStore(late).list(collection, { selector });
      expect(page.rv).toBe(3);
      expect(spell(page)).toEqual(listed);
    },
  );
});

describe.each([
  ['the rows', everything],
  ['an index', selector],
])('a LIST from %s', (_source, selected) => {
  it('shows the state at its resourceVersion of an object that changed before its row was read', async () => {
    const clock = createVirtualClock();
    writer = openStore(table, clock);
    for (const name of ['a', 'b']) await put(writer, collection, name, { labels: { app: 'web' } });
    // Until the journal that is read anyway no longer tells of them.
    clock.advance(3 * TIMING.skew);
    for (let round = 0; round < 20; round += 1) await put(writer, collection, 'z', { spec: { round } });
    clock.advance(3 * TIMING.skew);
    let written = false;
    const writeOnce = async (partition: string | undefined) => {
      if (written || partition !== objectPartition(collection)) return;
      written = true;
      await put(writer, collection, 'a', { labels: { app: 'web' }, spec: { changed: true } });
      await put(writer, collection, 'c', { labels: { app: 'web' } });
    };
    const late: Table = {
      ...table,
      query: async (request) => {
        await writeOnce(request.partition);
        return table.query(request);
      },
      batchGet: async (keys) => {
        await writeOnce(keys[0]?.pk);
        return table.batchGet(keys);
      },
    };
    const listed = spell(await openStore(late, clock).list(collection, { selector: selected }));
    expect(listed.filter((one) => !one.startsWith('z'))).toEqual(['a@2', 'b@3']);
  });
});

/** The table, with a count of its requests, and of those that began when none was under way. */
function watching(inner: Table) {
  let [begun, steps, underway] = [0, 0, 0];
  const during = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    begun += 1;
    if (underway === 0) steps += 1;
    underway += 1;
    try {
      await new Promise(setImmediate);
      return await call();
    } finally {
      underway -= 1;
    }
  };
  const watched: Table = {
    ...inner,
    get: (...request) => during(() => inner.get(...request)),
    query: (...request) => during(() => inner.query(...request)),
    batchGet: (...request) => during(() => inner.batchGet(...request)),
  };
  return { watched, steps: () => steps, requests: () => begun };
}
