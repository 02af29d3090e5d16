import { expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { raiseWatermark, readWatermarks } from '../../../lib/store/watermarks.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';

it('each watermark only rises, from that of the empty collection', async () => {
  const table = createMemoryTable();
  const marks = () => readWatermarks(table, collection);
  expect(await marks()).toEqual({ settled: 1, compacted: 1, floor: 1 });
  await raiseWatermark(table, collection, 'compacted', 5);
  expect(await marks()).toEqual({ settled: 1, compacted: 5, floor: 1 });
  await raiseWatermark(table, collection, 'compacted', 4);
  await raiseWatermark(table, collection, 'settled', 9);
  expect(await marks()).toEqual({ settled: 9, compacted: 5, floor: 1 });
  await raiseWatermark(table, collection, 'settled', 8);
  await raiseWatermark(table, collection, 'compacted', 6);
  await raiseWatermark(table, collection, 'floor', 7);
  await raiseWatermark(table, collection, 'floor', 3);
  expect(await marks()).toEqual({ settled: 9, compacted: 6, floor: 7 });
});
