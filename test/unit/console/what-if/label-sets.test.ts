import { describe, expect, it } from '@jest/globals';
import { labelSets } from '../../../../console/what-if/label-sets.ts';

const object = (name: string, labels: Record<string, string>, namespace = 'shop') => ({
  metadata: { name, namespace, labels },
});

describe('Sets of equal labels', () => {
  it('Objects with equal labels in one namespace are one set, in any order of their keys, the largest set first', () => {
    const objects = [
      object('a', { app: 'cart' }),
      object('b', { app: 'web', tier: 'frontend' }),
      object('c', { tier: 'frontend', app: 'web' }),
      object('d', { app: 'web', tier: 'frontend' }, 'billing'),
    ];
    const { sets } = labelSets(objects, { app: 'x' }, 20);
    expect(
      sets.map((set) => [set.namespace, set.after, set.objects.map(({ metadata }) => metadata.name)]),
    ).toEqual([
      ['shop', { app: 'x', tier: 'frontend' }, ['b', 'c']],
      ['shop', { app: 'x' }, ['a']],
      ['billing', { app: 'x', tier: 'frontend' }, ['d']],
    ]);
  });

  it('Objects that have the labels already are counted and not reviewed', () => {
    const objects = [object('a', { app: 'x' }), object('b', { app: 'web' }), object('c', {})];
    expect(labelSets(objects, { app: 'x' }, 20)).toMatchObject({ unchanged: 1, sets: [{}, {}] });
    expect(labelSets(objects, { track: null }, 20)).toMatchObject({ unchanged: 3, sets: [] });
  });

  it('What is beyond the most sets is counted', () => {
    const objects = Array.from({ length: 25 }, (_, at) =>
      object(`p-${at}`, { hash: `h${Math.min(at, 21)}` }),
    );
    const { sets, leftOut } = labelSets(objects, { app: 'x' }, 20);
    expect(sets[0]?.objects.length).toBe(4);
    expect([sets.length, leftOut]).toEqual([20, { sets: 2, objects: 2 }]);
  });
});
