import { expect, it } from '@jest/globals';
import { allotVersion, FIRST_VERSION, markFollowed, readHead } from '../../../lib/store/head.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

it('an unwritten collection has the first resourceVersion as its head, and writes are above it', async () => {
  const table = createMemoryTable();
  expect(await readHead(table, 'test/things')).toBe(FIRST_VERSION);
  const allotted = [];
  for (let times = 0; times < 3; times += 1) {
    allotted.push(await allotVersion(table, 'test/things'));
  }
  expect(allotted).toEqual([2, 3, 4].map((rv) => ({ rv, isFollowed: false })));
  expect(await readHead(table, 'test/things')).toBe(4);
  expect(await readHead(table, 'test/others')).toBe(FIRST_VERSION);
});

it('each allotment after the mark of a followed collection says so', async () => {
  const table = createMemoryTable();
  expect(await markFollowed(table, 'test/things')).toBe(FIRST_VERSION);
  expect(await allotVersion(table, 'test/things')).toEqual({ rv: 2, isFollowed: true });
  expect(await markFollowed(table, 'test/things')).toBe(2);
});
