import { expect, it } from '@jest/globals';
import { allotVersion, FIRST_VERSION, readHead } from '../../../lib/store/head.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

it('an unwritten collection has the first resourceVersion as its head, and writes are above it', async () => {
  const table = createMemoryTable();
  expect(await readHead(table, 'test/things')).toBe(FIRST_VERSION);
  const allotted = [];
  for (let times = 0; times < 3; times += 1) allotted.push(await allotVersion(table, 'test/things'));
  expect(allotted).toEqual([2, 3, 4]);
  expect(await readHead(table, 'test/things')).toBe(4);
  expect(await readHead(table, 'test/others')).toBe(FIRST_VERSION);
});
