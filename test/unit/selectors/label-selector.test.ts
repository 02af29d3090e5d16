import { describe, expect, it } from '@jest/globals';
import {
  everything,
  fromLabelSelector,
  fromLabels,
  nothing,
  SelectorError,
} from '../../../lib/selectors/index.ts';

describe('fromLabelSelector', () => {
  it.each([undefined, null])('fromLabelSelector reads %s as nothing', (object) => {
    expect(fromLabelSelector(object)).toBe(nothing);
  });

  it.each([{}, { matchLabels: {} }, { matchExpressions: [] }, { matchLabels: null, matchExpressions: null }])(
    'fromLabelSelector reads %j as everything',
    (object) => {
      expect(fromLabelSelector(object)).toBe(everything);
    },
  );

  it('fromLabelSelector joins matchLabels and matchExpressions', () => {
    const selector = fromLabelSelector({
      matchLabels: { tier: 'frontend' },
      matchExpressions: [
        { key: 'environment', operator: 'In', values: ['qa', 'production'] },
        { key: 'partition', operator: 'DoesNotExist' },
        { key: 'track', operator: 'Exists', values: [] },
        { key: 'release', operator: 'NotIn', values: ['canary'] },
      ],
    });
    expect(selector.toString()).toBe(
      'environment in (production,qa),!partition,release notin (canary),tier=frontend,track',
    );
    expect(selector.matches({ tier: 'frontend', environment: 'qa', track: '' })).toBe(true);
    expect(selector.matches({ tier: 'frontend', environment: 'qa' })).toBe(false);
  });

  it('the values of a requirement are sorted and unique, but the text keeps duplicates as in Kubernetes', () => {
    const selector = fromLabelSelector({
      matchExpressions: [{ key: 'x', operator: 'In', values: ['b', 'a', 'b'] }],
    });
    expect(selector.requirements[0]?.values).toEqual(['a', 'b']);
    expect(selector.toString()).toBe('x in (a,b,b)');
  });

  it('fromLabelSelector reads a nested null as an empty value, as Kubernetes does', () => {
    const matchExpressions = [{ key: 'x', operator: 'In', values: [null, 'b'] }];
    const selector = fromLabelSelector({ matchLabels: { a: null }, matchExpressions });
    expect(selector.toString()).toBe('a=,x in (,b)');
    expect(selector.matches({ a: '', x: '' })).toBe(true);
    expect(selector.matches({ x: 'b' })).toBe(false);
    const { errors } = refusal(() => fromLabelSelector({ matchExpressions: [null] }));
    expect(errors).toEqual(refusal(() => fromLabelSelector({ matchExpressions: [{}] })).errors);
  });

  const REFUSED = [
    ['an operator of the text language', [{ key: 'x', operator: 'in', values: ['a'] }], ['Invalid operator']],
    ['an absent operator', [{ key: 'x' }], ['Invalid operator']],
    ['In without values', [{ key: 'x', operator: 'In' }], ['Required values']],
    ['NotIn with no values', [{ key: 'x', operator: 'NotIn', values: [] }], ['Required values']],
    ['Exists with values', [{ key: 'x', operator: 'Exists', values: ['a'] }], ['Forbidden values']],
    ['a bad value', [{ key: 'x', operator: 'In', values: ['a', 'b c'] }], ['Invalid values[1]']],
    ['an absent key', [{ operator: 'Exists' }], ['Invalid key', 'Invalid key']],
    ['everything at once', [{ key: '-', operator: 'In' }], ['Required values', 'Invalid key']],
    ['a key that is no string', [{ key: 1, operator: 'Exists' }], ['TypeInvalid key']],
    ['values that are no list', [{ key: 'x', operator: 'In', values: 'a' }], ['TypeInvalid values']],
    ['a value that is no string', [{ key: 'x', operator: 'In', values: [1] }], ['TypeInvalid values']],
  ] as const;

  it.each(REFUSED)('fromLabelSelector refuses %s', (_title, matchExpressions, expected) => {
    const { errors } = refusal(() => fromLabelSelector({ matchExpressions }, 'spec.selector'));
    expect(errors.map(({ type, field }) => `${type} ${field}`)).toEqual(
      expected.map((entry) => entry.replace(' ', ' spec.selector.matchExpressions[0].')),
    );
  });

  it('fromLabelSelector collects the errors of all parts', () => {
    const error = refusal(() =>
      fromLabelSelector({
        matchLabels: { 'a b': 'c', d: 1 },
        matchExpressions: [{ key: 'x', operator: 'Exists' }, 'y', { key: 'z', operator: 'Near' }],
      }),
    );
    expect(error.errors.map(({ type, field }) => [type, field])).toEqual([
      ['Invalid', 'matchLabels'],
      ['TypeInvalid', 'matchLabels[d]'],
      ['TypeInvalid', 'matchExpressions[1]'],
      ['Invalid', 'matchExpressions[2].operator'],
    ]);
    expect(error.message).toMatch(
      /^\[matchLabels: .*, matchExpressions\[2\]\.operator: Invalid value: "Near": .*\]$/,
    );
  });

  it.each([
    ['text', '<nil>'],
    [[], '<nil>'],
    [{ matchLabels: [] }, 'matchLabels'],
    [{ matchExpressions: {} }, 'matchExpressions'],
  ])('fromLabelSelector refuses %j', (object, field) => {
    expect(refusal(() => fromLabelSelector(object)).errors).toMatchObject([{ type: 'TypeInvalid', field }]);
  });
});

describe('fromLabels', () => {
  it.each([undefined, null, {}])('fromLabels reads %j as everything', (map) => {
    expect(fromLabels(map)).toBe(everything);
  });

  it('fromLabels requires every entry', () => {
    const selector = fromLabels({ tier: 'frontend', app: '' });
    expect(selector.toString()).toBe('app=,tier=frontend');
    expect(`${fromLabels({ tier: 'frontend', app: null })}`).toBe(`${selector}`);
    expect(selector.matches({ tier: 'frontend', app: '' })).toBe(true);
    expect(selector.matches({ tier: 'frontend' })).toBe(false);
  });

  it('fromLabels refuses an invalid label and names its path', () => {
    const { errors } = refusal(() => fromLabels({ 'a b': '-', c: 1 }, 'spec.selector'));
    expect(errors.map(({ type, field, value }) => [type, field, value])).toEqual([
      ['Invalid', 'spec.selector', 'a b'],
      ['Invalid', 'spec.selector', '-'],
      ['TypeInvalid', 'spec.selector[c]', 1],
    ]);
  });
});

describe('the selectors everything and nothing', () => {
  it('everything and nothing have no requirements and no text, and match all and no labels', () => {
    expect([everything.requirements, nothing.requirements, `${everything}`, `${nothing}`]).toEqual([
      [],
      [],
      '',
      '',
    ]);
    expect([everything.isEmpty, everything.matches({}), everything.matches({ a: 'b' })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([nothing.isEmpty, nothing.matches({}), nothing.matches({ a: 'b' })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

function refusal(run: () => unknown): SelectorError {
  try {
    run();
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
  throw new Error('accepted');
}
