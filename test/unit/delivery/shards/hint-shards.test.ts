import { describe, expect, it } from '@jest/globals';
import { createHints, type Queues } from '../../../../lib/coordination/index.ts';
import { hintShards } from '../../../../lib/delivery/shards/index.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { cursorKey } from '../../../../lib/store/index.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { createMemoryQueues } from '../../../support/watch/memory-queues.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';

const collection: Collection = 'core/pods';

async function createTold() {
  const table = createMemoryTable();
  const queues = createMemoryQueues();
  const queueUrl = await queues.create('events.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const slow: Queues = {
    ...queues,
    sendBatch: (...request) => new Gauge().slowly(5, () => queues.sendBatch(...request)),
  };
  const hints = createHints({ queues: slow, queueUrl, logger: silentLogger });
  const tell = async (rv: number, group = 0) => {
    const cursor = await readCursor(table, collection, group);
    await hintShards({ table, hints, hops: 2, collection, group, cursor }, rv);
    return (await queues.drain(queueUrl)).map(({ body }) => JSON.parse(body));
  };
  return { table, tell };
}

describe('the hints of the first shard', () => {
  it('the first shard sends no hints if it is the only one', async () => {
    const { tell } = await createTold();
    expect(await tell(9)).toEqual([]);
  });

  it('the first shard hints the shards that are behind, each in its own message group', async () => {
    const { table, tell } = await createTold();
    await table.put({ ...cursorKey(collection), position: 3, until: 16 });
    await table.put({ ...cursorKey(collection, 16), position: 3, until: 32 });
    await table.put({ ...cursorKey(collection, 32), position: 9, until: 64 });
    expect(await tell(9)).toEqual([{ collection, group: 16, rv: 9, hops: 2 }]);
    expect(await tell(10)).toEqual([
      { collection, group: 16, rv: 10, hops: 2 },
      { collection, group: 32, rv: 10, hops: 2 },
    ]);
    expect(await tell(11, 16)).toEqual([]);
  });
});
