import { describe, expect, it } from '@jest/globals';
import { everyField, parseFieldSelector, SelectorError } from '../../../lib/selectors/index.ts';

describe('parseFieldSelector', () => {
  const ACCEPTED = [
    ['metadata.name=a', [['metadata.name', '=', 'a']], 'metadata.name=a'],
    ['metadata.name==a', [['metadata.name', '=', 'a']], 'metadata.name=a'],
    ['status.phase!=Running', [['status.phase', '!=', 'Running']], 'status.phase!=Running'],
    [
      'b=2,,a=1,',
      [
        ['a', '=', '1'],
        ['b', '=', '2'],
      ],
      'a=1,b=2',
    ],
    ['a=', [['a', '=', '']], 'a='],
    ['a=x\\,y\\=z\\\\', [['a', '=', 'x,y=z\\']], 'a=x\\,y\\=z\\\\'],
    [' a = b ', [[' a ', '=', ' b ']], ' a = b '],
    ['a=1,=', [['a', '=', '1']], 'a=1'],
  ] as const;

  it.each(ACCEPTED)('parseFieldSelector reads %j', (text, requirements, canonical) => {
    const selector = parseFieldSelector(text);
    expect(selector.requirements.map(({ field, operator, value }) => [field, operator, value])).toEqual(
      requirements,
    );
    expect(selector.toString()).toBe(canonical);
    expect(selector.isEmpty).toBe(false);
  });

  it.each(['', ',', '=', '!='])('parseFieldSelector reads %j as everyField', (text) => {
    expect(parseFieldSelector(text)).toBe(everyField);
  });

  const REFUSED = [
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c>d', "invalid selector: 'a=b,c>d'; can't understand 'c>d'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ] as const;

  it.each(REFUSED)('parseFieldSelector refuses %j', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError(message));
  });
});

describe('a field selector', () => {
  const POD: ReadonlyMap<string, string> = new Map([
    ['metadata.name', 'a'],
    ['status.phase', 'Running'],
  ]);
  const MATCHES = [
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name=b', false],
    ['metadata.name!=a', false],
    ['metadata.name=a,status.phase!=Pending', true],
    ['metadata.name=a,status.phase=Pending', false],
    ['spec.nodeName=', true],
    ['spec.nodeName!=', false],
    ['spec.nodeName!=n1', true],
  ] as const;

  it.each(MATCHES)('the field selector %j matches a pod: %s; an absent field is empty', (text, expected) => {
    expect(parseFieldSelector(text).matches((field) => POD.get(field))).toBe(expected);
  });
});

describe('a hostile field selector', () => {
  const LONG = 1_000_000;

  it.each([
    ['escapes', `a=${'\\'.repeat(LONG + 1)}`],
    ['equals signs', 'a'.padEnd(LONG, '=')],
    ['no operator', 'a'.repeat(LONG)],
  ])('a field selector with many %s is refused in time', (_title, text) => {
    expect(() => parseFieldSelector(text)).toThrow(SelectorError);
  });

  it('a field selector with many terms is read in time', () => {
    const selector = parseFieldSelector(','.repeat(LONG) + 'a=b,'.repeat(LONG / 10));
    expect(selector.requirements).toHaveLength(LONG / 10);
  });
});
