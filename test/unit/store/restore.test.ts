import { expect, it } from '@jest/globals';
import { readShards } from '../../../lib/delivery/shards/index.ts';
import { cursorKey, headKey } from '../../../lib/store/keys.ts';
import { raiseWatermarks } from '../../../lib/store/restore/raise-watermarks.ts';
import { ReservedNames } from '../../../lib/store/restore/reserved-names.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const PODS = 'core/pods';

it.each([
  ['both halves', [{ ...cursorKey(PODS), until: 32 }, cursorKey(PODS, 32)]],
  ['the first half', [{ ...cursorKey(PODS), until: 32 }]],
  ['the second half', [cursorKey(PODS, 32)]],
])('shards that a copy has %s of become one shard, which has members', async (_which, rows) => {
  const table = createMemoryTable();
  await table.put({ ...headKey(PODS), rv: 5 });
  for (const row of rows) await table.put({ position: 3, members: 7, seen: 7, leaseHolder: 'x', ...row });
  for (let times = 0; times < 2; times += 1) await raiseWatermarks(table, PODS, 100);
  const [group, ...others] = await readShards(table, PODS);
  expect([others, group?.group, group?.position]).toEqual([[], 0, 100]);
  expect(group?.members).toBeGreaterThan(Number(group?.seen));
  expect((await table.get(cursorKey(PODS)))?.leaseHolder).toBeUndefined();
  expect(await table.get(cursorKey(PODS, 32))).toBeUndefined();
});

it('a reserved name belongs to an object until a later object claims it or the object drops it', async () => {
  const names = new ReservedNames(createMemoryTable());
  const [early, late] = [
    { uid: 'early', rv: 1 },
    { uid: 'late', rv: 2 },
  ];
  expect(names.claim(['a', 'b'], early)).toEqual(['a', 'b']);
  expect(names.claim(['b'], late)).toEqual(['b']);
  expect(names.claim(['a', 'b'], early)).toEqual(['a']);
  expect(names.claim([], early)).toEqual([]);
  expect(names.isTrue({ pk: '', sk: '', uid: 'early' }, 'a')).toBe(false);
  expect(names.isTrue({ pk: '', sk: '', uid: 'late' }, 'b')).toBe(true);
});
