import { expect, it } from '@jest/globals';
import { rowsOf } from '../../../cli/selecting/facets.ts';

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
