import { beforeEach, describe, expect, it } from '@jest/globals';
import { hasNewMembers, moveCursor, parseCursor, readProgress } from '../../../lib/coordination/cursor.ts';
import { LeaseHeldError } from '../../../lib/coordination/lease.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { cursorKey, headKey, markFollowed, type Row, type Table } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { readCursor } from '../../support/watch/read-cursor.ts';

const collection: Collection = 'test/things';
const LEASE = { leaseHolder: 'me', leaseExpires: 1 };
let table: Table;

beforeEach(() => {
  table = createMemoryTable();
});

const put = (row: Omit<Row, 'pk' | 'sk'>) => table.put({ ...cursorKey(collection), ...row });
const move = (seen: number, isLast: boolean, holder = 'me') =>
  moveCursor(table, { collection, holder, to: { position: 7, seen, selecting: 0, admitted: '' }, isLast });
const holder = async () => (await table.get(cursorKey(collection)))?.leaseHolder;

describe('The cursor of a collection', () => {
  it('The cursor of a collection without dispatch is at its beginning', async () => {
    const none = { position: 0, members: 0, seen: 0, until: 64, admitting: '', selecting: 0 };
    expect(parseCursor(undefined)).toEqual(none);
    expect(await readCursor(table, collection)).toEqual(none);
    expect(await readProgress(table, { collection })).toEqual({
      head: 1,
      cursor: none,
      isMarked: false,
    });
  });

  it('The cursor is read together with the head', async () => {
    await table.put({ ...headKey(collection), rv: 9 });
    await put({ position: 4, members: 3, seen: 2 });
    const cursor = { position: 4, members: 3, seen: 2, until: 64, admitting: '', selecting: 0 };
    expect(await readProgress(table, { collection })).toEqual({ head: 9, cursor, isMarked: false });
    await markFollowed(table, collection);
    expect((await readProgress(table, { collection })).isMarked).toBe(true);
  });

  it('The cursor names the round that activated last if that was not stored', () => {
    const at = (row: Partial<Row>) => parseCursor({ ...cursorKey(collection), ...row }).admitting;
    expect([at({ admitting: 'u/t2' }), at({ admitting: 'u/t2', admitted: 'u/t1' })]).toEqual([
      'u/t2',
      'u/t2',
    ]);
    expect([at({ admitting: 'u/t2', admitted: 'u/t2' }), at({ admitting: '', admitted: 'u/t1' })]).toEqual([
      '',
      '',
    ]);
  });

  it('The cursor has new members if the raised count is above the seen count', () => {
    const at = (members: number, seen: number) => hasNewMembers({ members, seen });
    expect([at(2, 1), at(2, 2), at(1, 2), at(0, 0)]).toEqual([true, false, false, false]);
  });

  it('The cursor has no position if it is of another shard than the first and its row is missing', async () => {
    expect(await readProgress(table, { collection, group: 32 })).toEqual({
      head: 1,
      cursor: undefined,
      isMarked: false,
    });
    await table.put({ ...cursorKey(collection, 32), position: 5 });
    expect((await readProgress(table, { collection, group: 32 })).cursor?.position).toBe(5);
  });
});

describe('A cursor that moves', () => {
  it('The cursor keeps the lease if another round follows', async () => {
    await put({ ...LEASE, members: 2 });
    expect(await move(2, false)).toEqual({
      position: 7,
      members: 2,
      seen: 2,
      until: 64,
      admitting: '',
      selecting: 0,
      isReleased: false,
    });
    expect(await holder()).toBe('me');
  });

  it.each<[string, Partial<Row>, number, boolean]>([
    ['everybody was seen', { members: 2 }, 2, true],
    ['somebody was raised since', { members: 3 }, 2, false],
    ['nobody ever was', {}, 0, true],
    ['somebody was for the first time', { members: 1 }, 0, false],
    ['nobody is told of, and yet was seen', {}, 1, false],
  ])(
    'gives the lease back with the last turn, unless there is more: %s',
    async (_, row, seen, isReleased) => {
      await put({ ...LEASE, ...row });
      expect(await move(seen, true)).toMatchObject({ position: 7, seen, isReleased });
      expect(await holder()).toBe(isReleased ? undefined : 'me');
    },
  );

  it.each([true, false])('The cursor does not move if the lease is lost: %s', async (isLast) => {
    await put({ ...LEASE, leaseHolder: 'another', position: 3, members: 2 });
    await expect(move(2, isLast)).rejects.toThrow(LeaseHeldError);
    expect(await readCursor(table, collection)).toMatchObject({ position: 3, members: 2, seen: 0 });
    expect(await holder()).toBe('another');
  });
});
