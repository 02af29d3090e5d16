import { expect, it } from '@jest/globals';
import { jointRows, rowsOf } from '../../../cli/selecting/facets.ts';

it('The counts of facets add up: listed values, omitted values and objects without the label', () => {
  const values = [
    { value: 'web', count: 4 },
    { value: 'db', count: 3 },
  ];
  const facets = [
    { key: 'app', distinct: 5, absent: 2, values },
    { key: 'tier', distinct: 2, absent: 5, values },
  ];
  expect(rowsOf({ count: 12, facets })).toEqual([
    ['app', 'web', '4'],
    ['app', 'db', '3'],
    ['app', '<3 others>', '3'],
    ['app', '<none>', '2'],
    ['tier', 'web', '4'],
    ['tier', 'db', '3'],
    ['tier', '<none>', '5'],
  ]);
});

const joint = (
  keys: string[],
  cells: [values: (string | null)[], count: number][],
  distinct = cells.length,
) => ({
  joint: { keys, distinct, cells: cells.map(([values, count]) => ({ values, count })) },
});

it('Joint facets of two label keys are a matrix, and of more keys a list', () => {
  const cells: [(string | null)[], number][] = [
    [['north', 'x2'], 9],
    [[null, 'x2'], 4],
    [['south', null], 2],
    [['south', 'x3'], 8],
    [['north', 'x3'], 1],
    [['south', 'x2'], 3],
  ];
  expect(jointRows(joint(['site', 'model'], cells, 8))).toEqual([
    ['SITE \\ MODEL', 'x2', 'x3', '<none>'],
    ['south', '3', '8', '2'],
    ['north', '9', '1', '-'],
    ['<none>', '4', '-', '-'],
    ['<2 other combinations>'],
  ]);
  expect(jointRows(joint(['site', 'model', 'tier'], [[['north', 'x2', null], 3]]))).toEqual([
    ['SITE', 'MODEL', 'TIER', 'COUNT'],
    ['north', 'x2', '<none>', '3'],
  ]);
});
