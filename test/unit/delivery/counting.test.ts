import { describe, expect, it } from '@jest/globals';
import {
  groupOf,
  NOTHING_COUNTED,
  parseCounts,
  printCounts,
  withinBounds,
  withSteps,
} from '../../../lib/delivery/counting/counts.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { prepareTally, validateTally } from '../../../lib/kubernetes/winnow/index.ts';

const tally = (spec: JsonObject): JsonObject => ({
  apiVersion: 'winnow.dev/v1',
  kind: 'Tally',
  metadata: { name: 't', namespace: 'default' },
  spec: { resource: { resource: 'pods' }, ...spec },
});
const faults = (spec: JsonObject, old?: JsonObject) =>
  validateTally(prepareTally(tally(spec), undefined), old && tally(old), targetResources).map(
    ({ type, field }) => `${type} ${field}`,
  );

describe('a Tally', () => {
  it('a Tally selects objects as a Subscription does, and may group by labels', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ labelSelector: 'app=web', fieldSelector: 'Ready=True', groupBy: ['zone'] })).toEqual([]);
    expect(faults({ bounds: { min: 3, max: 3 }, namespaces: 'All' })).toEqual([]);
  });

  it('a Tally may select namespaces by labels instead of the field namespaces', () => {
    const namespaceSelector = { matchLabels: { team: 'pink' } };
    expect(faults({ namespaceSelector })).toEqual([]);
    expect(prepareTally(tally({ namespaceSelector }), undefined).spec).toEqual({
      resource: { resource: 'pods' },
      namespaceSelector,
    });
    expect(prepareTally(tally({ namespaceSelector: null }), undefined).spec).toMatchObject({
      namespaces: 'Own',
    });
  });

  it.each<[string, JsonObject, string[]]>([
    ['both', { namespaces: 'Own', namespaceSelector: {} }, ['Forbidden spec.namespaceSelector']],
    [
      'no selector of namespaces',
      { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
      ['Invalid spec.namespaceSelector.matchExpressions[0].operator'],
    ],
    [
      'namespaces of what has none',
      { namespaceSelector: {}, resource: { resource: 'nodes' } },
      ['Forbidden spec.namespaceSelector'],
    ],
    [
      'Secrets of several namespaces',
      { namespaceSelector: {}, resource: { resource: 'secrets' } },
      ['Forbidden spec.namespaceSelector'],
    ],
    ['a field that there is not', { queue: {} }, ['Invalid spec.queue']],
    ['no selector', { labelSelector: 'a in b' }, ['Invalid spec.labelSelector']],
    ['no field', { fieldSelector: 'spec.x=1' }, ['Invalid spec.fieldSelector']],
    ['no resource', { resource: { resource: 'things' } }, ['Invalid spec.resource']],
    ['Tallies', { resource: { group: 'winnow.dev', resource: 'tallies' } }, ['Invalid spec.resource']],
    [
      'no label key',
      { groupBy: ['a/b/c', 7, 'x', 'x'] },
      ['Invalid spec.groupBy[0]', 'TypeInvalid spec.groupBy[1]', 'Duplicate spec.groupBy[3]'],
    ],
    ['many keys', { groupBy: ['a', 'b', 'c', 'd', 'e'] }, ['TooMany spec.groupBy']],
    ['no list', { groupBy: 'a' }, ['TypeInvalid spec.groupBy']],
    ['no bounds', { bounds: 3 }, ['TypeInvalid spec.bounds']],
    ['bounds that nothing is within', { bounds: { min: 3, max: 2 } }, ['Invalid spec.bounds.max']],
    [
      'no numbers',
      { bounds: { min: -1, max: '2', of: 1 } },
      ['Invalid spec.bounds.of', 'Invalid spec.bounds.min', 'Invalid spec.bounds.max'],
    ],
  ])('a Tally is refused for %s', (_, spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  it('a Tally cannot change its resource', () => {
    expect(faults({}, { resource: { resource: 'services' } })).toEqual(['Invalid spec.resource']);
  });
});

describe('the counts of a Tally', () => {
  it('the group of an object is the list of its label values, with null for an absent label', () => {
    expect(groupOf([], { a: 'x' })).toBe('');
    expect(groupOf(['a', 'constructor'], { a: '' })).toBe('["",null]');
  });

  it('parsed counts equal the printed ones, and empty groups are dropped', () => {
    const counts = withSteps(NOTHING_COUNTED, [
      ['["x"]', 1],
      ['["y"]', 1],
    ]);
    expect(parseCounts(printCounts(counts))).toEqual(counts);
    expect(parseCounts(printCounts(withSteps(counts, [['["y"]', -1]])))).toEqual(
      withSteps(NOTHING_COUNTED, [['["x"]', 1]]),
    );
  });

  it('counts with too many groups keep only the total', () => {
    const groups = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`["${at}"]`, 1]));
    const most = withinBounds({ total: 500, groups: groups(500) });
    expect(most.groups?.size).toBe(500);
    const more = withinBounds({ total: 501, groups: groups(501) });
    expect(more).toEqual({ total: 501, groups: undefined });
    expect(withSteps(parseCounts(printCounts(more)), [['["x"]', 1]])).toEqual({
      total: 502,
      groups: undefined,
    });
    const long = new Map([[`["${'x'.repeat(128 * 1024)}"]`, 1]]);
    expect(withinBounds({ total: 1, groups: long }).groups).toBeUndefined();
  });
});
