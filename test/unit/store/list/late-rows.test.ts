import { describe, expect, it } from '@jest/globals';
import { everything, parseSelector } from '../../../../lib/selectors/index.ts';
import type { Key, Row, Table } from '../../../../lib/store/index.ts';
import { objectPartition } from '../../../../lib/store/keys.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { freshCollection, named, openStore, put } from '../../../support/store/store-fixture.ts';

const APP = parseSelector('app=x');

/** A table whose object rows can be held at what they are: a transaction's other rows are readable before them. */
function withLateRows(table: Table, partition: string) {
  let held: ReadonlyMap<string, Row> | undefined;
  const heldAt = ({ pk, sk }: Key) =>
    pk === partition && held !== undefined ? { row: held.get(sk) } : undefined;
  const late: Table = {
    ...table,
    get: async (key) => (heldAt(key) ?? { row: await table.get(key) }).row,
    batchGet: async (keys) =>
      (await Promise.all(keys.map((key) => late.get(key)))).flatMap((row) => row ?? []),
    query: async (request) =>
      request.partition === partition && request.index === undefined && held !== undefined
        ? { rows: [...held.values()].slice(0, request.limit), more: held.size > (request.limit ?? held.size) }
        : table.query(request),
  };
  const hold = async () => {
    const { rows } = await table.query({ partition, from: '!', to: '~' });
    held = new Map(rows.map((row) => [row.sk, row]));
  };
  const release = () => {
    held = undefined;
  };
  return { late, hold, release };
}

describe.each([
  ['its rows', everything],
  ['an index', APP],
])('a LIST from %s while rows lag behind the journal', (_source, selector) => {
  const setUp = async (names = ['old']) => {
    const collection = freshCollection();
    const table = createMemoryTable();
    const { late, hold, release } = withLateRows(table, objectPartition(collection));
    const clock = createVirtualClock();
    const writer = openStore(table, clock);
    for (const name of names) await put(writer, collection, name, { labels: { app: 'x' } });
    await hold();
    /** What is listed, and after how many pauses: the rows are readable after the first. */
    const list = async (limit?: number) => {
      let pauses = 0;
      const listing = openStore(late, {
        ...clock,
        sleep: async () => {
          await new Promise(setImmediate);
          pauses += 1;
          release();
        },
      }).list(collection, { selector, limit });
      const { items } = await listing;
      return { names: items.map(({ name }) => name.name), pauses };
    };
    return { collection, writer, list };
  };

  it('waits for a created object', async () => {
    const { collection, writer, list } = await setUp();
    await put(writer, collection, 'new', { labels: { app: 'x' } });
    expect(await list()).toEqual({ names: ['new', 'old'], pauses: 1 });
  });

  it('waits for a changed object', async () => {
    const { collection, writer, list } = await setUp();
    await put(writer, collection, 'old', { labels: { app: 'x' }, spec: { changed: true } });
    expect(await list()).toEqual({ names: ['old'], pauses: 1 });
  });

  it('waits for the last of the rows that it read together, and for no later one', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `n${index + 10}`);
    const cases = [
      { changed: 24, pauses: 1 },
      { changed: 25, pauses: 0 },
    ];
    for (const { changed, pauses } of cases) {
      const { collection, writer, list } = await setUp(names);
      await put(writer, collection, names[changed] ?? '', { labels: { app: 'x' }, spec: { changed } });
      expect(await list(24)).toEqual({ names: names.slice(0, 24), pauses });
    }
  });

  it('waits for no object that it does not select', async () => {
    const { collection, writer, list } = await setUp();
    await writer.write(collection, named('other'), () => ({ kind: 'none' }));
    expect(await list()).toEqual({ names: ['old'], pauses: 0 });
  });
});
