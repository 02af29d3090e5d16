import { describe, expect, it } from '@jest/globals';
import { comparing, RowOrder } from '../../../../console/explore/shown-rows.ts';
import { row } from './rows.ts';

const none = new Map();
const names = (rows: readonly { metadata: { name: string } }[]) => rows.map(({ metadata }) => metadata.name);

describe('The order of rows', () => {
  it('A row that left stays in its place', () => {
    const order = new RowOrder();
    const shown = order.order({
      rows: [row('a'), row('c')],
      leaving: new Map([['default/b', row('b')]]),
      compare: undefined,
      isFrozen: false,
    });
    expect(names(shown.rows)).toEqual(['a', 'b', 'c']);
  });

  it('While the order is frozen, new rows wait and rows that left stay', () => {
    const order = new RowOrder();
    order.order({ rows: [row('b'), row('c')], leaving: none, compare: undefined, isFrozen: false });
    const changed = row('c', { tier: 'new' });
    const frozen = order.order({
      rows: [row('a'), changed, row('d')],
      leaving: none,
      compare: undefined,
      isFrozen: true,
    });
    expect(names(frozen.rows)).toEqual(['b', 'c']);
    expect(frozen.rows[1]).toBe(changed);
    expect(frozen.waiting).toBe(2);
    const free = order.order({
      rows: [row('a'), changed],
      leaving: none,
      compare: undefined,
      isFrozen: false,
    });
    expect(names(free.rows)).toEqual(['a', 'c']);
  });

  it('A frozen order marks rows whose objects are gone, and shows the first rows that come', () => {
    const order = new RowOrder();
    const first = order.order({
      rows: [row('a'), row('b')],
      leaving: none,
      compare: undefined,
      isFrozen: true,
    });
    expect(names(first.rows)).toEqual(['a', 'b']);
    const later = order.order({ rows: [row('b')], leaving: none, compare: undefined, isFrozen: true });
    expect([...later.gone]).toEqual(['default/a']);
  });

  it('An object that left and came back has one row', () => {
    const shown = new RowOrder().order({
      rows: [row('a')],
      leaving: new Map([['default/a', row('a')]]),
      compare: undefined,
      isFrozen: false,
    });
    expect(names(shown.rows)).toEqual(['a']);
  });
});

describe('A sort', () => {
  const columns = [{ name: 'Name' }, { name: 'Ready' }, { name: 'Restarts' }].map((one) => ({
    ...one,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
  }));
  const rows = [
    row('a', {}, ['a', '10/10', 2]),
    row('b', {}, ['b', '2/10', 10]),
    row('c', {}, ['c', '2/10', 1]),
  ];
  const sorted = (sort: string) => names([...rows].sort(comparing(sort, columns)));

  it('Numbers are sorted as numbers, also inside texts, and equal cells by name', () => {
    expect(sorted('Restarts')).toEqual(['c', 'a', 'b']);
    expect(sorted('-Restarts')).toEqual(['b', 'a', 'c']);
    expect(sorted('Ready')).toEqual(['b', 'c', 'a']);
  });

  it('Without a sort the order is that of the set', () => {
    expect(comparing('', columns)).toBeUndefined();
  });

  it('Rows are sorted by a label, with rows without the label first', () => {
    const labelled = [row('a', { 'x/tier': 'z' }), row('b', { 'x/tier': 'q' }), row('c')];
    expect(names([...labelled].sort(comparing('x/tier', columns)))).toEqual(['c', 'b', 'a']);
  });
});
