import { describe, expect, it } from '@jest/globals';
import {
  byUse,
  cellsOf,
  countLabels,
  countPairs,
  isConstant,
  isTelling,
} from '../../../../console/explore/count.ts';
import { row } from './rows.ts';

const rows = [
  row('a', { app: 'web', tier: 'x', hash: '1' }),
  row('b', { app: 'web', tier: 'y', hash: '2' }),
  row('c', { app: 'db', hash: '3' }),
  row('d', { app: 'db', tier: 'x', hash: '4' }),
];

describe('The labels of a set', () => {
  it('Values are counted, the most frequent key and value first', () => {
    expect(countLabels(rows)).toEqual([
      {
        key: 'app',
        absent: 0,
        distinct: 2,
        values: [
          { value: 'db', count: 2 },
          { value: 'web', count: 2 },
        ],
      },
      {
        key: 'hash',
        absent: 0,
        distinct: 4,
        values: ['1', '2', '3', '4'].map((value) => ({ value, count: 1 })),
      },
      {
        key: 'tier',
        absent: 1,
        distinct: 2,
        values: [
          { value: 'x', count: 2 },
          { value: 'y', count: 1 },
        ],
      },
    ]);
  });

  it('A key with many values, one for each object, does not tell, and a key with one value narrows nothing', () => {
    const [app] = countLabels(rows);
    expect(app && isTelling(app)).toBe(true);
    const [hash, few] = [9, 8].map((size) =>
      countLabels(Array.from({ length: size }, (_, at) => row(`p${at}`, { hash: String(at) }))),
    );
    expect([hash, few].map((counts) => counts?.every(isTelling))).toEqual([false, true]);
    const [only] = countLabels([row('a', { all: 'x' }), row('b', { all: 'x' })]);
    expect(only && isConstant(only)).toBe(true);
  });
});

it('The keys that divide a set come first, by frequency and then by few values, and shared ones last', () => {
  const devices = Array.from({ length: 100 }, (_, at) =>
    row(`d${at}`, {
      all: 'x',
      city: `c${at % 45}`,
      name: `d${at}`,
      site: `s${at % 4}`,
      ...(at < 90 && { ring: at % 2 === 0 ? 'a' : 'b' }),
      zone: at < 50 ? 'a' : 'b',
    }),
  );
  const keys = byUse(countLabels(devices)).map(({ key }) => key);
  expect(keys).toEqual(['zone', 'site', 'city', 'ring', 'name', 'all']);
});

describe('The pivot', () => {
  it('Combinations are counted, and objects without the label come last', () => {
    const cells = countPairs(rows, ['app', 'tier']);
    expect(cells.rows).toEqual(['web', 'db']);
    expect(cells.columns).toEqual(['x', 'y', null]);
    expect([cells.count('web', 'x'), cells.count('db', null), cells.count('web', null), cells.most]).toEqual([
      1, 1, 0, 1,
    ]);
  });

  it('Counts of the server are the same table', () => {
    const counts = [
      { row: 'web', column: 'x', count: 7 },
      { row: null, column: 'x', count: 30 },
    ];
    expect(cellsOf(counts)).toMatchObject({ rows: ['web', null], columns: ['x'], most: 30 });
  });
});
