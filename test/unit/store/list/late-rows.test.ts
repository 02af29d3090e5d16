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
        ? { rows: [...held.values()], more: false }
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
])('a list from %s, where a row is behind the journal', (_source, selector) => {
  const setUp = async () => {
    const collection = freshCollection();
    const table = createMemoryTable();
    const { late, hold, release } = withLateRows(table, objectPartition(collection));
    const clock = createVirtualClock();
    const writer = openStore(table, clock);
    await put(writer, collection, 'old', { labels: { app: 'x' } });
    await hold();
    /** What is listed, and after how many pauses: the rows are readable after the first. */
    const list = async () => {
      let pauses = 0;
      const listing = openStore(late, {
        ...clock,
        sleep: async () => {
          await new Promise(setImmediate);
          pauses += 1;
          release();
        },
      }).list(collection, { selector });
      const { items } = await listing;
      return { names: items.map(({ name }) => name.name), pauses };
    };
    return { collection, writer, list };
  };

  it('waits for an object that was created', async () => {
    const { collection, writer, list } = await setUp();
    await put(writer, collection, 'new', { labels: { app: 'x' } });
    expect(await list()).toEqual({ names: ['new', 'old'], pauses: 1 });
  });

  it('waits for an object that was changed', async () => {
    const { collection, writer, list } = await setUp();
    await put(writer, collection, 'old', { labels: { app: 'x' }, spec: { changed: true } });
    expect(await list()).toEqual({ names: ['old'], pauses: 1 });
  });

  it('waits for no object that it does not select', async () => {
    const { collection, writer, list } = await setUp();
    await writer.write(collection, named('other'), () => ({ kind: 'none' }));
    expect(await list()).toEqual({ names: ['old'], pauses: 0 });
  });
});
