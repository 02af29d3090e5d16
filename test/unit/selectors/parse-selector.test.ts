import { describe, expect, it } from '@jest/globals';
import { everything, parseSelector, type Selector, SelectorError } from '../../../lib/selectors/index.ts';

/** The whole language: text, canonical text, and number of requirements. */
const ACCEPTED = [
  ['environment=production,tier!=frontend', 'environment=production,tier!=frontend', 2],
  ['environment in (production, qa)', 'environment in (production,qa)', 1],
  ['tier notin (frontend, backend)', 'tier notin (backend,frontend)', 1],
  ['partition', 'partition', 1],
  ['!partition', '!partition', 1],
  ['partition,environment notin (qa)', 'environment notin (qa),partition', 2],
  [
    'partition in (customerA, customerB),environment!=qa',
    'environment!=qa,partition in (customerA,customerB)',
    2,
  ],
  ['x == a', 'x==a', 1],
  ['x=', 'x=', 1],
  ['x=,y', 'x=,y', 2],
  ['x in ()', 'x in ()', 1],
  ['x in (a,)', 'x in (,a)', 1],
  ['x in (a,,b)', 'x in (,a,b)', 1],
  ['x in (a,,,)', 'x in (,a)', 1],
  ['x in (b,a,b)', 'x in (a,b)', 1],
  ['x>1,x<10', 'x>1,x<10', 2],
  ['b,a,c', 'a,b,c', 3],
  ['in in (in),notin notin (notin)', 'in in (in),notin notin (notin)', 2],
  ['!in', '!in', 1],
  ['\t! x\r\n,\n y\t=\nz ', '!x,y=z', 2],
  ['constructor', 'constructor', 1],
] as const;

const REFUSED = [
  ['!x=a', `found '=', expected: ',' or 'end of string'`],
  ['x,', `found '', expected: identifier after ','`],
  [',x', `found ',', expected: !, identifier, or 'end of string'`],
  ['x y', `unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt`],
  ['x gt 1', `unable to parse requirement: found 'gt', expected: in, notin, =, ==, !=, gt, lt`],
  ['x==(a)', `unable to parse requirement: found '(', expected: identifier`],
  ['x in a', `unable to parse requirement: found 'a' expected: '('`],
  ['x in (a', `unable to parse requirement: found '', expected: ',' or ')'`],
  ['x in (a,', `unable to parse requirement: found '', expected: ',', or identifier`],
  ['x in (a,,)', `unable to parse requirement: found ')', expected: ',', or identifier`],
  ['x in (=', `unable to parse requirement: found '=', expected: ',', ')' or identifier`],
  ['!', `unable to parse requirement: found '', expected: identifier`],
] as const;

/** Selectors with an invalid key or value, which the error names. */
const INVALID = [
  ['x<a', [['Invalid', 'values[0]', 'a']]],
  ['x>', [['Invalid', 'values[0]', '']]],
  ['x>9223372036854775808', [['Invalid', 'values[0]', '9223372036854775808']]],
  ['x>-1', [['Invalid', 'values[0][x]', '-1']]],
  [
    'x>-',
    [
      ['Invalid', 'values[0]', '-'],
      ['Invalid', 'values[0][x]', '-'],
    ],
  ],
  ['a/b/c', [['Invalid', '<nil>', 'a/b/c']]],
  ['-a=b', [['Invalid', '<nil>', '-a']]],
  [
    'x in (ok,-,_)',
    [
      ['Invalid', 'values[0][x]', '-'],
      ['Invalid', 'values[1][x]', '_'],
    ],
  ],
  [`x=${'v'.repeat(64)}`, [['Invalid', 'values[0][x]', 'v'.repeat(64)]]],
] as const;

const MATCHES = [
  ['a', { a: '' }, true],
  ['a', {}, false],
  ['!a', {}, true],
  ['!a', { a: '' }, false],
  ['a=', { a: '' }, true],
  ['a=', {}, false],
  ['a!=b', {}, true],
  ['a!=b', { a: 'b' }, false],
  ['a!=b', { a: 'c' }, true],
  ['a notin (b,c)', {}, true],
  ['a notin (b,c)', { a: 'c' }, false],
  ['a in (b,c)', { a: 'c' }, true],
  ['a in ()', { a: '' }, true],
  ['a in ()', {}, false],
  ['a>5', { a: '6' }, true],
  ['a>5', { a: '5' }, false],
  ['a>5', { a: '+0006' }, true],
  ['a>5', { a: '10' }, true],
  ['a<5', { a: '-9223372036854775808' }, true],
  ['a<5', { a: '-9223372036854775809' }, false],
  ['a>9223372036854775806', { a: '9223372036854775807' }, true],
  ['a<9223372036854775807', { a: '9223372036854775806' }, true],
  ['a>5', { a: 'six' }, false],
  ['a>5', { a: '' }, false],
  ['a<5', {}, false],
  ['a=1,a=2', { a: '1' }, false],
  ['a in (1,2,3,4,5,6,7,8,9,10)', { a: '10' }, true],
  ['a notin (1,2,3,4,5,6,7,8,9,10)', { a: '11' }, true],
] as const;

describe('parseSelector', () => {
  it.each(ACCEPTED)('parseSelector reads %j and prints %j', (text, canonical, count) => {
    const selector = parseSelector(text);
    expect(selector.toString()).toBe(canonical);
    expect(selector.requirements).toHaveLength(count);
    expect(selector.isEmpty).toBe(false);
  });

  it.each(REFUSED)('parseSelector refuses %j', (text, message) => {
    const error = refusal(text);
    expect(error.message).toBe(message);
    expect(error.errors).toEqual([]);
  });

  it.each(INVALID)('parseSelector refuses %j and names the value', (text, expected) => {
    const error = refusal(text);
    expect(error.errors.map(({ type, field, value }) => [type, field, value])).toEqual(expected);
    expect(error.message).toMatch(/^unable to parse requirement: .*Invalid value: /);
  });

  it.each(['', ' ', '\t\r\n'])('parseSelector reads %j as everything', (text) => {
    expect(parseSelector(text)).toBe(everything);
  });

  it('parseSelector exposes key, operator and values of each requirement', () => {
    const { requirements } = parseSelector('e<5,d>4,c notin (y,x,y),b!=,a==v,!f,g');
    expect(requirements.map(({ key, operator, values }) => [key, operator, values])).toEqual([
      ['a', '==', ['v']],
      ['b', '!=', ['']],
      ['c', 'notin', ['x', 'y']],
      ['d', 'gt', ['4']],
      ['e', 'lt', ['5']],
      ['f', '!', []],
      ['g', 'exists', []],
    ]);
    expect(requirements.map(String)).toEqual(['a==v', 'b!=', 'c notin (x,y)', 'd>4', 'e<5', '!f', 'g']);
    expect(requirements.map((requirement) => requirement.matches({ c: 'x', g: '' }))).toEqual([
      false,
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('requirements on one key keep their written order, also if there are many', () => {
    const text = Array.from({ length: 40 }, (_, index) => `a!=${39 - index}`).join(',');
    expect(parseSelector(`b,${text}`).toString()).toBe(`${text},b`);
  });
});

describe('a selector', () => {
  it.each(MATCHES)('the selector %s matches %j: %s', (text, labels, expected) => {
    const selector = parseSelector(text);
    expect(selector.matches(labels)).toBe(expected);
    expect(selector.matches(new Map(Object.entries(labels)))).toBe(expected);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'get'])(
    'a selector sees the label %s only if the object has it',
    (key) => {
      const selector = parseSelector(key);
      expect(selector.matches({})).toBe(false);
      expect(selector.matches(new Map())).toBe(false);
      expect(selector.matches({ [key]: 'a' })).toBe(true);
      expect(selector.matches(Object.assign(Object.create(null), { [key]: 'a' }))).toBe(true);
    },
  );
});

describe('a hostile selector', () => {
  // Each case would take minutes if parsing took more than linear time.
  const LONG = 1_000_000;
  const TEXTS: readonly (readonly [string, () => Selector])[] = [
    ['a long key', () => parseSelector('a'.repeat(LONG))],
    ['a long key that ends badly', () => parseSelector(`${'a-'.repeat(LONG / 2)}`)],
    ['a long prefix', () => parseSelector(`${'a.'.repeat(LONG / 2)}/a`)],
    ['many slashes', () => parseSelector('/'.repeat(LONG))],
    ['a long value that ends badly', () => parseSelector(`x=${'a'.repeat(LONG)}!`)],
    ['a long number', () => parseSelector(`x>${'0'.repeat(LONG)}x`)],
    ['many blanks', () => parseSelector(`x${' '.repeat(LONG)}y`)],
    ['many parentheses', () => parseSelector(`x in ${'('.repeat(LONG)}`)],
    [
      'many bad values',
      () => parseSelector(`x in (${Array.from({ length: LONG / 10 }, (_, i) => `-${i}`).join()})`),
    ],
  ];

  it.each(TEXTS)('a selector with %s is refused in time', (_title, read) => {
    expect(read).toThrow(SelectorError);
  });

  it('a selector with many requirements and values is read in time', () => {
    const values = Array.from({ length: LONG / 10 }, (_, index) => `v${index}`);
    const selector = parseSelector(`x in (${values.join()}),${values.join()}`);
    expect(selector.requirements).toHaveLength(1 + values.length);
    expect(selector.matches({ x: 'v5' })).toBe(false);
  });
});

function refusal(text: string): SelectorError {
  try {
    parseSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}
