import { describe, expect, it } from '@jest/globals';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  formatFieldError,
  labelKeyErrors,
  labelValueErrors,
  SelectorError,
  validateLabels,
} from '../../../lib/selectors/index.ts';

const repeat = (length: number) => 'a'.repeat(length);

const RULES = [
  {
    rule: labelKeyErrors,
    good: ['a', 'A', '0', 'a.b_c-D', 'in', 'example.com/a', `${repeat(253)}/${repeat(63)}`, 'constructor'],
    bad: ['', '-', 'a-', '.a', 'a b', 'é', '/a', 'a/', 'a/b/c', 'Example.com/a', 'a..b/c', '__proto__'],
    long: [repeat(64), `${repeat(254)}/a`],
  },
  {
    rule: labelValueErrors,
    good: ['', 'a', 'A', '0', 'a.b_c-D', repeat(63)],
    bad: ['-', 'a-', '.a', 'a b', 'a/b', 'é', ' ', 'a\n'],
    long: [repeat(64)],
  },
  {
    rule: dns1123LabelErrors,
    good: ['a', '0', 'a-b', 'a--0', repeat(63)],
    bad: ['', '-', 'a-', '-a', 'a.b', 'A', 'a_b', 'é', 'a\n'],
    long: [repeat(64)],
  },
  {
    rule: dns1123SubdomainErrors,
    good: ['a', '0', 'a-b.c', 'a.b.c', repeat(253)],
    bad: ['', '.', 'a.', '.a', 'a..b', 'a.-b', 'A', 'a_b', 'a\n'],
    long: [repeat(254)],
  },
  {
    rule: dns1035LabelErrors,
    good: ['a', 'a0', 'a-b', repeat(63)],
    bad: ['', '0a', 'a-', '-a', 'a.b', 'A', 'a\n'],
    long: [repeat(64)],
  },
] as const;

describe.each(RULES.map((entry) => [entry.rule.name, entry] as const))(
  '%s',
  (_name, { rule, good, bad, long }) => {
    it.each([...good])('the rule accepts %j', (value) => {
      expect(rule(value)).toEqual([]);
    });

    it.each([...bad])('the rule refuses %j', (value) => {
      expect(rule(value)).not.toEqual([]);
    });

    it.each([...long])('the rule refuses %s only because of its length', (value) => {
      expect(rule(value)).toEqual([expect.stringMatching(/must be no more than \d+ (bytes|characters)$/)]);
    });
  },
);

describe('validateLabels', () => {
  it.each([undefined, null, {}, { a: '', 'example.com/b': 'C' }, { a: null }])('labels %j pass', (labels) => {
    expect(validateLabels(labels)).toEqual([]);
  });

  it('validateLabels returns every error, with the path of the map for a bad key or value', () => {
    const errors = validateLabels({ 'a b': 'c d', '': repeat(64) });
    expect(errors.map(({ type, field, value }) => [type, field, value])).toEqual([
      ['Invalid', 'metadata.labels', 'a b'],
      ['Invalid', 'metadata.labels', 'c d'],
      ['Invalid', 'metadata.labels', ''],
      ['Invalid', 'metadata.labels', ''],
      ['Invalid', 'metadata.labels', repeat(64)],
    ]);
  });

  it.each([
    ['a=b', 'spec.labels'],
    [['a'], 'spec.labels'],
    [1, 'spec.labels'],
    [{ a: 1 }, 'spec.labels[a]'],
    [{ a: true }, 'spec.labels[a]'],
    [{ a: {} }, 'spec.labels[a]'],
  ])('validateLabels refuses the type of %j', (labels, field) => {
    expect(validateLabels(labels, 'spec.labels')).toMatchObject([{ type: 'TypeInvalid', field }]);
  });

  it('validateLabels checks own keys with any name', () => {
    expect(validateLabels(JSON.parse('{"__proto__": "a", "constructor": "b"}'))).toMatchObject([
      { field: 'metadata.labels', value: '__proto__' },
    ]);
  });
});

describe('formatFieldError', () => {
  const SENTENCES: readonly (readonly [FieldError, string])[] = [
    [{ type: 'Required', field: 'a.b', value: '', detail: '' }, 'a.b: Required value'],
    [{ type: 'Required', field: 'a', detail: 'be there' }, 'a: Required value: be there'],
    [{ type: 'Invalid', field: 'a', value: 'x"y', detail: 'bad' }, 'a: Invalid value: "x\\"y": bad'],
    [{ type: 'Invalid', field: 'a', value: 7, detail: 'bad' }, 'a: Invalid value: 7: bad'],
    [{ type: 'Invalid', field: 'a', value: true, detail: 'bad' }, 'a: Invalid value: true: bad'],
    [{ type: 'Invalid', field: 'a', value: null, detail: 'bad' }, 'a: Invalid value: null: bad'],
    [{ type: 'Invalid', field: 'a', value: ['<'], detail: 'bad' }, 'a: Invalid value: []string{"<"}: bad'],
    [{ type: 'Invalid', field: 'a', detail: 'bad' }, 'a: Invalid value: bad'],
    [{ type: 'TypeInvalid', field: 'a', value: {}, detail: 'bad' }, 'a: Invalid value: {}: bad'],
    [
      { type: 'NotSupported', field: 'a', value: 'x', detail: 'supported values: "y"' },
      'a: Unsupported value: "x": supported values: "y"',
    ],
    [{ type: 'Forbidden', field: 'a', value: 'x', detail: 'no' }, 'a: Forbidden: no'],
    [{ type: 'TooLong', field: 'a', value: 'x', detail: 'too much' }, 'a: Too long: too much'],
    [{ type: 'TooMany', field: 'a', value: 9, detail: 'at most 8' }, 'a: Too many: 9: at most 8'],
    [{ type: 'Duplicate', field: 'a', value: 'x', detail: '' }, 'a: Duplicate value: "x"'],
  ];

  it.each(SENTENCES)('formatFieldError formats %j', (error, sentence) => {
    expect(formatFieldError(error)).toBe(sentence);
  });

  it('formatFieldError escapes characters that could disturb a log', () => {
    const value = 'a\n\u001b[31m\u202e\u{e0001}é😀';
    expect(formatFieldError({ type: 'Invalid', field: 'a', value, detail: '' })).toBe(
      'a: Invalid value: "a\\n\\x1b[31m\\u202e\\U000e0001é😀"',
    );
  });
});

describe('SelectorError', () => {
  const error: FieldError = { type: 'Invalid', field: 'a', value: 'x', detail: 'bad' };

  it('the message of a SelectorError contains each error once', () => {
    expect(SelectorError.of([error, error]).message).toBe('a: Invalid value: "x": bad');
    expect(SelectorError.of([error, { ...error, field: 'b' }, error]).message).toBe(
      '[a: Invalid value: "x": bad, b: Invalid value: "x": bad]',
    );
  });
});
