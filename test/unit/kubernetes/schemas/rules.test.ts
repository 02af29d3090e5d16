import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { compileSchema, type Schema, validateSchema } from '../../../../lib/kubernetes/schemas/index.ts';
import { METADATA } from './metadata-rules.ts';
import { toldAs } from './recorded.ts';

const SPEC: Readonly<Record<string, Schema>> = {
  text: { type: 'string', maxLength: 100 },
  maybe: { type: 'string', nullable: true, maxLength: 100 },
  count: { type: 'integer' },
  ratio: { type: 'number' },
  list: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 10 } },
  numbers: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  labels: { type: 'object', maxProperties: 10, additionalProperties: { type: 'string', maxLength: 10 } },
  either: { 'x-kubernetes-int-or-string': true },
  when: { type: 'string', format: 'date-time' },
  'dashed-name': { type: 'string', maxLength: 10 },
  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  parts: {
    type: 'array',
    maxItems: 10,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, size: { type: 'integer' } },
    },
  },
};

const VALUE: JsonValue = {
  text: 'aäb😀',
  count: 3,
  ratio: 0.5,
  list: ['a', 'b'],
  numbers: [1, 2, 3],
  labels: { a: 'x' },
  either: 5,
  when: '2026-01-02T03:04:05Z',
  'dashed-name': 'd',
  maybe: null,
  parts: [{ name: 'a', size: 1 }],
};

function withRule(rule: string, more: object = {}): Schema {
  const spec = { type: 'object', properties: SPEC, 'x-kubernetes-validations': [{ rule, ...more }] };
  return { type: 'object', properties: { spec } };
}

async function errorsOf(rule: string, spec: JsonValue = VALUE, old?: JsonValue): Promise<string[]> {
  const schema = await compileSchema(withRule(rule), METADATA);
  return toldAs(schema.validate({ spec }, old === undefined ? undefined : { spec: old }));
}

async function refusalOf(rule: string, more: object = {}): Promise<string[]> {
  const place = { path: 'schema', hasStatus: false };
  return toldAs(await validateSchema(withRule(rule, more), place, METADATA));
}

describe('a CEL validation rule', () => {
  it.each([
    "self.text.matches('^a.b')",
    'self.text.size() == 4',
    "self.text.indexOf('b') == 2",
    "self.text.substring(1, 2) == 'ä'",
    "self.text.charAt(3) == '😀'",
    "self.text.upperAscii() == 'AäB😀'",
    "self.text.replace('a', 'c').startsWith('c')",
    "self.text.split('b').size() == 2",
    'self.count > 2 && self.count < 4',
    'self.ratio < 1.0',
    "self.list.all(each, each in ['a', 'b'])",
    "self.list.exists_one(each, each == 'a')",
    "self.list.map(each, each + '!') == ['a!', 'b!']",
    'self.numbers.filter(each, each > 1).sum() == 5',
    'self.numbers.max() == 3 && self.numbers.min() == 1 && self.numbers.isSorted()',
    "self.labels['a'] == 'x' && 'a' in self.labels && self.labels.all(key, key.size() == 1)",
    "type(self.either) == int ? self.either == 5 : self.either == 'http'",
    "self.when > timestamp('2025-01-01T00:00:00Z')",
    "self.dashed__dash__name == 'd'",
    'has(self.text) && !has(self.labels.none)',
    'self.parts.all(part, !has(part.size) || part.size == 1)',
    '!has(self.maybe)',
    "self.parts.exists(part, part.name == 'a' && part.size == 1)",
    "quantity('1Gi').isGreaterThan(quantity('1000Mi')) && quantity('1').compareTo(quantity('1000m')) == 0",
    "isIP('::1') && !isIP('x') && ip('10.0.0.1').family() == 4 && isCIDR('10.0.0.0/8')",
    "self.?text.orValue('x') == self.text",
    'self.parts == self.parts && self.labels == self.labels',
    "self.text.format([]) == self.text && '%s %d'.format([self.text.find('a'), self.count]) == 'a 3'",
    "'b1b2'.findAll('b[0-9]') == ['b1', 'b2'] && url('https://a:1/b').getPort() == '1'",
    "duration('1m').getSeconds() == 60 && sets.contains(self.list, ['a'])",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && ip('::1').isLoopback()",
    "!format.dns1123Label().validate('a').hasValue() && bytes('a') == b'a' && uint(1) == 1u",
    'self.list.transformList(i, each, i + each.size()) == [1, 2]',
    'self.ratio != 0.12345678901 && -7 / 2 == -3 && [1, ?optional.none()].size() == 1',
  ])('the rule holds: %s', async (rule) => {
    expect(await refusalOf(rule)).toEqual([]);
    expect(await errorsOf(rule)).toEqual([]);
  });

  it.each([
    ["'%d'.format(['a']) == 'a'", 'decimal clause can only be used on integers, was given string'],
    ["semver('1.2.3').major() == 1", "undeclared reference to 'semver'"],
    ['cel.bind(x, 1, x == 1)', "undeclared reference to 'bind'"],
    ['self.maybe == null', "found no matching overload for '_==_' applied to '(string, null)'"],
    ["duration('x') == duration('1s')", 'invalid duration argument'],
    ["self.text.matches('(')", 'invalid matches argument'],
    ["[1, 'a'].size() == 2", "expected type 'int' but found 'string'"],
    ["self.text.hex() == 'a'", "undeclared reference to 'hex'"],
    ['nonsense(self.count)', "undeclared reference to 'nonsense'"],
    ['other == 1', "undeclared reference to 'other'"],
    ['self.none == 1', "undefined field 'none'"],
    ['!has(self.none)', "undefined field 'none'"],
    ['self.parts.all(part, has(part.none))', "undefined field 'none'"],
    ['self.anything.field == 1', "undefined field 'field'"],
    ["self.count == 'x'", "found no matching overload for '_==_' applied to '(int, string)'"],
    ['self.count + 1', 'cel expression must evaluate to a bool'],
    ['self.count >', 'Syntax error'],
  ])('a wrong rule is refused when it is written: %s', async (rule, why) => {
    expect(await refusalOf(rule)).toEqual([expect.stringContaining(why)]);
  });

  it('a rule of more than 100,000 code points is refused', async () => {
    const rule = (length: number) => `self.text != '${'😀'.repeat(length - "self.text != ''".length)}'`;
    expect(await refusalOf(rule(100_000))).toEqual([]);
    expect(await refusalOf(rule(100_001))).toEqual([
      expect.stringContaining(
        'compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
      ),
    ]);
  });

  it('a rule whose estimated cost is too high is refused', async () => {
    const list: Schema = {
      type: 'object',
      properties: { all: { type: 'array', items: { type: 'string' } } },
      'x-kubernetes-validations': [{ rule: 'self.all.all(one, self.all.all(other, one != other))' }],
    };
    const errors = await validateSchema(list, { path: 'schema', hasStatus: false }, METADATA);
    expect(toldAs(errors)).toContainEqual(expect.stringContaining('estimated rule cost exceeds budget'));
  });

  it('the estimated cost of a list in a rule grows with the elements that the rule writes', async () => {
    const own = { type: 'array', items: { type: 'string' } } as const;
    const either: Schema = {
      type: 'object',
      properties: { one: { type: 'string' }, many: own },
      'x-kubernetes-validations': [
        { rule: '[has(self.one), has(self.many)].filter(each, each == true).size() == 1' },
      ],
    };
    const slices = (maxItems: number): Schema => ({
      type: 'object',
      properties: { slices: { type: 'array', maxItems, items: either } },
    });
    const errorsOf = async (schema: Schema) =>
      toldAs(await validateSchema(schema, { path: 'schema', hasStatus: false }, METADATA));
    expect(await errorsOf(slices(100_000))).toEqual([]);
    expect(await errorsOf(slices(10_000_000))).toContainEqual(
      expect.stringContaining('estimated rule cost exceeds budget'),
    );
  });

  it('a rule that visits too many elements stops at its cost budget, and the object is refused', async () => {
    const rule = 'self.all.all(a, self.all.all(b, self.all.all(c, a + b + c > 0)))';
    const schema: Schema = {
      type: 'object',
      properties: { all: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule }, { rule: 'false', message: 'not asked any more' }],
    };
    const compiled = await compileSchema(schema, METADATA);
    const all = Array.from({ length: 1000 }, (_, at) => at + 1);
    const spent = `FieldValueInvalid <nil>: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
    expect(toldAs(compiled.validate({ all }))).toEqual([spent]);
    expect(toldAs(compiled.validate({ all: [1] }))).toEqual([expect.stringContaining('not asked any more')]);
  });

  it('the rules of one object share a cost budget', async () => {
    // A search for a text costs its length times the length of what it searches.
    const rule = 'self.all.all(a, a.contains(a))';
    const schema: Schema = {
      type: 'object',
      properties: { all: { type: 'array', items: { type: 'string' } } },
      'x-kubernetes-validations': Array.from({ length: 12 }, () => ({ rule })),
    };
    const compiled = await compileSchema(schema, METADATA);
    const all = Array.from({ length: 10 }, () => 'a'.repeat(3000));
    expect(toldAs(compiled.validate({ all }))).toEqual([
      'FieldValueInvalid <nil>: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  it('a rule that takes more than a second says nothing about the object', async () => {
    let now = 0;
    const clock = { ...METADATA, now: () => (now += 600) };
    const rule = `${'self.numbers.all(a, '.repeat(4)}a > 0${')'.repeat(4)}`;
    const compiled = await compileSchema(withRule(rule), clock);
    const numbers = Array.from({ length: 10 }, (_, at) => at + 1);
    expect(() => compiled.validate({ spec: { numbers } })).toThrow('the evaluation took more than 900 ms');
  });

  it('a stored rule that does not type-check is evaluated with dynamic types', async () => {
    expect(await errorsOf('self.maybe == null', { maybe: null })).toEqual([
      'FieldValueInvalid spec: Invalid value: "object": no such key: maybe evaluating rule: self.maybe == null',
    ]);
    expect(await errorsOf("self.text == 1 || self.text == 'a'", { text: 'a' })).toEqual([]);
  });

  const longer = (times: number, from: string) =>
    Array.from({ length: times }).reduce<string>(
      (rule) => `${rule}.replace('a', 'aaaaaaaaaaaaaaaaaaaa')`,
      from,
    );
  it.each([
    ['nested replacements', `${longer(9, 'self.text')} == 'b'`],
    [
      'a join of long texts',
      `self.list.map(a, ${longer(3, 'self.text')}).join(${longer(3, 'self.text')}) == 'b'`,
    ],
    ['texts that double', `[self.text]${'.map(a, a + a)'.repeat(26)}.all(a, a.size() > 0)`],
    ['lists that double', `[self.list]${'.map(a, a + a)'.repeat(26)}.all(a, a.size() > 0)`],
    ['a split into characters', `${longer(4, 'self.text')}.split('').size() > 0`],
    [
      'objects that are compared again and again',
      `${'self.parts.all(a, '.repeat(4)}${'self == oldSelf && '.repeat(50)}true${')'.repeat(4)}`,
    ],
  ])('a rule that builds or reads too much stops at its cost budget: %s', async (_what, rule) => {
    const { maybe: _maybe, ...others } = VALUE as JsonObject;
    const value = {
      ...others,
      text: 'a'.repeat(100),
      list: Array.from({ length: 10 }, () => 'a'),
      parts: Array.from({ length: 10 }, (_each, at) => ({ name: `${at}` })),
    };
    const compiled = await compileSchema(withRule(rule), METADATA);
    expect(compiled.validate({ spec: value }, { spec: value }).map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([expect.stringContaining('call cost exceeds limit')]),
    );
  });

  it('an object is refused if evaluating its rule fails', async () => {
    expect(await errorsOf('self.count / 0 == 1')).toEqual([
      'FieldValueInvalid spec: Invalid value: "object": division by zero evaluating rule: self.count / 0 == 1',
    ]);
    expect(await errorsOf("self.text == 'x'", {})).toEqual([
      `FieldValueInvalid spec: Invalid value: "object": no such key: text evaluating rule: self.text == 'x'`,
    ]);
  });

  it('a rule with a hostile pattern takes linear time', async () => {
    expect(await refusalOf("self.text.matches('(a+)+$')")).toEqual([]);
    expect(await errorsOf("!self.text.matches('^(a+)+$')", { text: `${'a'.repeat(90)}!` })).toEqual([]);
  });

  it('a transition rule is evaluated for list elements that have keys', async () => {
    const schema = withRule('true');
    const parts = SPEC.parts as Schema;
    const items = {
      ...(parts.items as Schema),
      'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'shrinks' }],
    };
    const spec: Schema = { type: 'object', properties: { parts: { ...parts, items } } };
    const compiled = await compileSchema({ ...schema, properties: { spec } }, METADATA);
    const old = {
      spec: {
        parts: [
          { name: 'a', size: 1 },
          { name: 'b', size: 5 },
        ],
      },
    };
    const changed = {
      spec: {
        parts: [
          { name: 'b', size: 4 },
          { name: 'c', size: 0 },
        ],
      },
    };
    expect(toldAs(compiled.validate(changed, old))).toEqual([
      'FieldValueInvalid spec.parts[0]: Invalid value: "object": shrinks',
    ]);
  });

  it('a rule that failed before tolerates an unchanged object, but a new failure is refused', async () => {
    expect(await errorsOf('self.count < 3', VALUE, VALUE)).toEqual([]);
    expect(await errorsOf('self.count < 3', VALUE, { count: 2 })).toHaveLength(1);
  });
});
