import { describe, expect, it } from '@jest/globals';
import { batchingTable, type Key, type Table } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const keyOf = (name: string): Key => ({ pk: 'pk', sk: name });

/** A gathered table with the rows a, b and c, and how many keys each request that went through it named. */
async function createCounted(fails: () => unknown = () => undefined) {
  const memory = createMemoryTable();
  for (const name of ['a', 'b', 'c']) await memory.put({ ...keyOf(name), value: 1 });
  const requests: number[] = [];
  const counted: Table = {
    ...memory,
    get: (key, signal) => {
      requests.push(1);
      return memory.get(key, signal);
    },
    batchGet: async (keys, signal) => {
      requests.push(keys.length);
      const error = fails();
      if (error !== undefined) throw error;
      return memory.batchGet(keys, signal);
    },
  };
  return { memory, requests, table: batchingTable(counted) };
}

describe('a batching table', () => {
  it('reads concurrent gets in one request, each key once, and gives each caller its own copy', async () => {
    const { table, requests } = await createCounted();
    const rows = await Promise.all(['a', 'b', 'none', 'a'].map((name) => table.get(keyOf(name))));
    expect(rows.map((row) => row?.sk)).toEqual(['a', 'b', undefined, 'a']);
    expect(requests).toEqual([3]);
  });

  it('reads a row again for a get that arrives while the row is being read', async () => {
    const { memory, table, requests } = await createCounted();
    const first = table.get(keyOf('a'));
    await Promise.resolve();
    await Promise.resolve();
    expect(requests).toEqual([1]);
    await memory.update(keyOf('a'), { set: { value: 2 } });
    const [again, other] = await Promise.all([table.get(keyOf('a')), table.get(keyOf('b'))]);
    expect([again?.value, other?.value]).toEqual([2, 1]);
    await first;
    expect(requests).toEqual([1, 2]);
  });

  it('batches the gets that arrive one after the other during a read, and sends a single get as a get', async () => {
    const memory = createMemoryTable();
    const asked: string[] = [];
    const slowly = async <Answer>(what: string, answer: () => Promise<Answer>): Promise<Answer> => {
      asked.push(what);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return answer();
    };
    const table = batchingTable({
      ...memory,
      get: (key) => slowly(`get ${key.sk}`, () => memory.get(key)),
      batchGet: (keys) => slowly(keys.map(({ sk }) => sk).join(' '), () => memory.batchGet(keys)),
    });
    const reads: Promise<unknown>[] = [];
    for (const name of ['a', 'b', 'c']) {
      reads.push(table.get(keyOf(name)));
      await new Promise(setImmediate);
    }
    await Promise.all(reads);
    expect(asked).toEqual(['get a', 'b c']);
  });

  it('reads gets with different abort signals in separate requests', async () => {
    const { table, requests } = await createCounted();
    const signals = [new AbortController().signal, new AbortController().signal];
    await Promise.all(signals.map((signal) => table.get(keyOf('a'), signal)));
    expect(requests).toEqual([1, 1]);
  });

  it('fails all gets of a failed batch, and no later get', async () => {
    const errors = [new Error('not now')];
    const { table } = await createCounted(() => errors.shift());
    const both = await Promise.allSettled([table.get(keyOf('a')), table.get(keyOf('b'))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await table.get(keyOf('a')))?.sk).toBe('a');
  });
});
