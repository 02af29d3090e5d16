import { describe, expect, it } from '@jest/globals';
import { collect } from '../../../../lib/controllers/collect/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import type { GcTask, Row } from '../../../../lib/store/index.ts';
import { lookKey } from '../../../../lib/store/keys.ts';
import { createCollecting, reference, SETS } from '../../../support/watch/collecting.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

/** GC tasks of one shard. */
function createShard() {
  const collecting = createCollecting();
  const { clock, options, queues, table } = collecting;
  const owe = async (
    what: GcTask['what'],
    collection: typeof PODS,
    name: string,
    rv: number,
  ): Promise<string> => {
    const { pk, sk } = lookKey({ due: clock.now(), what, collection, rv });
    const row: Row = { pk: 'looks#0', sk, what, collection, name: `default/${name}`, uid: name };
    await table.put(row);
    return pk;
  };
  return {
    ...collecting,
    owe,
    owed: async () => (await table.query({ partition: 'looks#0', from: '!', to: '~' })).rows.length,
    /** GC tasks that writes enqueued and that are done. */
    async forget() {
      const { rows } = await table.query({ partition: 'looks#0', from: '!', to: '~' });
      for (const row of rows) await table.delete(row);
    },
    collect: ({ table: given = table, ...more }: Partial<typeof options> = {}, hops?: number) => {
      // Deletes take a moment: code that does not wait for a delete ends before it.
      const remove: typeof table.delete = async (...request) => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        return given.delete(...request);
      };
      const slow = { ...given, delete: remove };
      return collect({ ...options, ...more, table: slow }, { shard: 0, ...(hops !== undefined && { hops }) });
    },
    asked: async () => {
      const messages = await queues.drain('memory://reconcile.fifo');
      return messages.map(({ body }) => JSON.parse(body));
    },
    listen: () => queues.create('reconcile.fifo', { attributes: { FifoQueue: 'true' }, tags: {} }),
  };
}

describe('The GC tasks of a shard', () => {
  it('The tasks of a shard run, those about owners one grace later, four of each at a time', async () => {
    const { gauge, collect: collectAll, done, owe, owed, put } = createShard();
    for (let at = 0; at < 6; at += 1) {
      await put(PODS, `default/p${at}`, { ownerReferences: [reference(SETS, 'gone')] });
      await owe('owners', PODS, `p${at}`, at + 2);
    }
    await collectAll();
    expect(done()[0]).toBe(`sleeps ${TIMING.grace}`);
    expect(gauge.most).toBe(4);
    expect(await owed()).toBe(0);
  });

  it('Tasks about dependents run without a delay, four at a time', async () => {
    const { gauge, collect: collectAll, done, forget, owe, owed, put } = createShard();
    for (let at = 0; at < 6; at += 1) {
      await put(PODS, `default/p${at}`, { ownerReferences: [reference(SETS, `set${at}`)] });
    }
    await forget();
    for (let at = 0; at < 6; at += 1) await owe('dependents', SETS, `set${at}`, at + 2);
    await collectAll();
    expect(done().filter((call) => call.startsWith('sleeps'))).toEqual([]);
    expect(gauge.most).toBe(4);
    expect(await owed()).toBe(0);
  });

  it('The tasks of a shard stay until they ran', async () => {
    const { collect: collectAll, logged, options, owe, owed } = createShard();
    await owe('expiry', PODS, 'p', 2);
    const write = async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      throw new Error('not now');
    };
    await collectAll({ store: { ...options.store, write } });
    expect(await owed()).toBe(1);
    expect(logged).toEqual([
      [
        'a GC task failed; it runs again after a later tick',
        expect.objectContaining({ uid: 'p', error: new Error('not now') }),
      ],
    ]);
  });

  it('The tasks of a shard run page by page, and no page runs twice', async () => {
    const { collect: collectAll, owe, owed, put, table } = createShard();
    await put(SETS, 'default/held', {
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['foregroundDeletion'],
    });
    await put(PODS, 'default/blocks', {
      finalizers: ['example.com/mine'],
      ownerReferences: [reference(SETS, 'held', { blockOwnerDeletion: true })],
    });
    await owe('dependents', SETS, 'held', 1);
    for (let at = 0; at < 200; at += 1) await owe('expiry', PODS, `p${at}`, at + 2);
    let pages = 0;
    const counting: typeof table = {
      ...table,
      query: (request) => {
        if (request.partition === 'looks#0') pages += 1;
        return table.query(request);
      },
    };
    await collectAll({ table: counting });
    expect(pages).toBe(2);
    expect(await owed()).toBe(1);
    await collectAll({ table: counting });
    expect(pages).toBe(3);
  });

  it('Another invocation takes over the tasks that had no time left', async () => {
    const { asked, collect: collectAll, listen, owe, owed, table } = createShard();
    await listen();
    for (let at = 0; at < 201; at += 1) await owe('expiry', PODS, `p${at}`, at + 2);
    const over = { ...table, deadline: AbortSignal.abort() };
    await collectAll({ table: over }, 3);
    expect(await owed()).toBe(1);
    expect(await asked()).toEqual([{ kind: 'collect', shard: 0, hops: 4 }]);
    await collectAll({ table: over });
    expect(await asked()).toEqual([{ kind: 'collect', shard: 0, hops: 1 }]);
  });

  it('The shard requests the remaining tasks again before it ends', async () => {
    const { collect: collectAll, options, queues } = createShard();
    let isSent = false;
    const slow: typeof options.queues = {
      ...queues,
      sendBatch: async () => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        isSent = true;
        return [];
      },
    };
    await collectAll({ queues: slow, table: { ...options.table, deadline: AbortSignal.abort() } });
    expect(isSent).toBe(true);
  });
});
