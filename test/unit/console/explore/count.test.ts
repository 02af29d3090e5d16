import { describe, expect, it } from '@jest/globals';
import {
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

  it('A key with a value for each object does not tell, and a key with one value narrows nothing', () => {
    const [app, hash] = countLabels(rows);
    expect(app && isTelling(app)).toBe(true);
    expect(hash && isTelling(hash)).toBe(false);
    const [only] = countLabels([row('a', { all: 'x' }), row('b', { all: 'x' })]);
    expect(only && isConstant(only)).toBe(true);
  });
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
