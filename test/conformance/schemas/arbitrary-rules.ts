import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import type { Schema, ValidationRule } from '../../../lib/kubernetes/schemas/index.ts';

/** A definition, the one that it replaces, and objects of its version v1 with those that they replace. */
export interface RuleQuestion {
  readonly definition: JsonObject;
  readonly old?: JsonObject;
  readonly objects: readonly { readonly value: JsonObject; readonly old?: JsonObject }[];
}

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
/** A value in one of `n` cases. */
const maybe = <Value>(n: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: n - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Rules for values of any type. */
const COMMON = [
  'self == self',
  'self == oldSelf',
  'self != oldSelf',
  'true',
  'false',
  'ip("10.0.0.1").family() == 4',
  '{"a": 1}.transformMap(k, v, v + 1).size() == 1',
  '1 / (self == self ? 0 : 1) == 1',
];
/** Rules that compile in some places, or in no place. */
const DOUBTFUL = [
  'oldSelf == oldSelf',
  'oldSelf.hasValue()',
  'self',
  'semver("1.2.3").major() == 1',
  'semver("v1.2", true).major() == 1',
  'unknown == 1',
  'duration("x") == duration("1s")',
  'self + 1',
];
const OPTIONAL = ['oldSelf.hasValue()', '!oldSelf.hasValue()', 'oldSelf.orValue(self).size() == self.size()'];
/** Rules for scalars. For objects, upstream's comparison is false or an error, as Go happens to iterate over their fields. */
const OPTIONAL_SCALARS = ['oldSelf.orValue(self) == self', '!oldSelf.hasValue() || self == oldSelf.value()'];
/** A rule whose estimate is too high for one rule, but not for all rules of a definition. It is cheap to evaluate. */
const DEAR = [...'abcdefg'].reduceRight(
  (inner, name) => `[0, 0, 0, 0, 0, 0, 0, 0, 0, 0].exists(${name}, ${inner})`,
  'true',
);
const RULES: Readonly<Record<string, readonly string[]>> = {
  string: [
    'self.size() < 3',
    'self.startsWith("a")',
    'self.matches("^[a-y]*$")',
    'self > "b" || self == oldSelf',
    'self.contains(self + self)',
    'self.split("").all(x, self.contains(x + self))',
    'int(self) > 1',
  ],
  integer: ['self > 1', 'self >= oldSelf', '10 / self > 3', 'self % 2 == 0', '[1, 2].exists(x, x == self)'],
  either: ['self == 1', 'type(self) == int', 'self > 1', 'string(self) == "1"', 'self.size() > 1', 'self'],
  list: [
    'self.size() < 3',
    'self.all(x, self.exists_one(y, x == y))',
    'self.all(x, x == x)',
    'self[0] == self[1]',
    'self.exists(x, x in self)',
    'self.isSorted()',
    'self.all(x, self.all(y, self.all(z, true)))',
    'self.all(x, self.all(y, self.all(z, true)))',
  ],
  map: [
    'self.size() < 3',
    'self.all(k, self[k] == self[k])',
    'self.all(k, k.startsWith("a"))',
    '"a" in self',
    'self.a == self.b',
    'self.all(k, self.all(l, k + l != "x"))',
    'self.all(k, self.all(l, self.all(m, true)))',
    'self.all(k, self.all(l, self.all(m, true)))',
  ],
  object: [
    'has(self.a)',
    '!has(self.a) || self.a == oldSelf.a',
    'has(self.a) && has(self.b)',
    'self.a == self.a',
    'self.?a.hasValue()',
    'has(self.b) == has(oldSelf.b)',
  ],
  root: [
    DEAR,
    DEAR,
    'self.metadata.name.size() > 0',
    'self.kind == "Thing"',
    'has(self.status)',
    'self.spec == oldSelf.spec',
  ],
};
const MESSAGES = [
  '"told"',
  '"told " + string(self == self)',
  '"was " + string(oldSelf == self)',
  '" "',
  '"two\\nlines"',
  '"a".split("").map(x, x + "b").join(",")',
];
const DOUBTFUL_MESSAGES = [
  '1',
  'self.a',
  'string(oldSelf)',
  'self',
  'semver("1.2.3").major() == 1 ? "a" : "b"',
];

function rule(type: string): fc.Arbitrary<ValidationRule> {
  const optionals = type === 'string' || type === 'integer' ? OPTIONAL_SCALARS : OPTIONAL;
  const optional = fc.record({ rule: some(...optionals), optionalOldSelf: some(true, true, true, false) });
  const plain = fc.record({
    rule: fc.oneof(
      { weight: 20, arbitrary: some(...(RULES[type] ?? [])) },
      { weight: 15, arbitrary: some(...COMMON) },
      { weight: 2, arbitrary: some(...DOUBTFUL) },
    ),
    optionalOldSelf: maybe(50, fc.boolean()),
  });
  const more = fc.record({
    message: fc.oneof(
      { weight: 20, arbitrary: some(undefined, undefined, 'told', ' told ') },
      { weight: 1, arbitrary: some('two\nlines', ' ') },
    ),
    messageExpression: maybe(
      3,
      fc.oneof(
        { weight: 20, arbitrary: some(...MESSAGES) },
        { weight: 1, arbitrary: some(...DOUBTFUL_MESSAGES) },
      ),
    ),
    reason: maybe(
      4,
      some('FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', 'FieldValueInvalid'),
    ),
    fieldPath: maybe(30, some('.a', '.b', '.x', 'a')),
  });
  return fc
    .tuple(fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: optional }), more)
    .map(([own, others]) => said({ ...own, ...others }) as ValidationRule);
}

/** Removes the fields without a value. */
function said<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

/** Adds rules to a schema in one of six cases. */
function ruled(type: string, schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const rules = maybe(6, fc.array(rule(type), { minLength: 1, maxLength: 2 }));
  return fc
    .tuple(schema, rules)
    .map(([each, own]) => (own === undefined ? each : { ...each, 'x-kubernetes-validations': own }));
}

const { any, object } = fc.letrec<{ any: Schema; object: Schema }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 2,
      arbitrary: ruled(
        'string',
        fc
          .record({
            type: some('string'),
            maxLength: some(2, 10, 10, 10, 10, 10, 1_000, undefined),
            enum: maybe(5, some(['a', 'b'])),
          })
          .map(said) as fc.Arbitrary<Schema>,
      ),
    },
    {
      weight: 2,
      arbitrary: ruled(
        'integer',
        some<Schema>({ type: 'integer' }, { type: 'integer', maximum: 5, nullable: true }),
      ),
    },
    { weight: 1, arbitrary: ruled('either', some<Schema>({ 'x-kubernetes-int-or-string': true })) },
    { weight: 3, arbitrary: tie('object') },
    {
      weight: 2,
      arbitrary: ruled(
        'list',
        fc
          .record({
            type: some('array'),
            items: tie('any'),
            maxItems: some(3, 10, 10, 100, 200, undefined),
            'x-kubernetes-list-type': maybe(8, some('atomic')),
          })
          .map(said) as fc.Arbitrary<Schema>,
      ),
    },
    {
      weight: 2,
      arbitrary: ruled(
        'list',
        fc.tuple(tie('any'), some(['a'], ['a', 'n'])).map(
          ([other, keys]): Schema => ({
            type: 'array',
            'x-kubernetes-list-type': 'map',
            maxItems: 10,
            'x-kubernetes-list-map-keys': keys,
            items: {
              type: 'object',
              required: keys,
              properties: { a: { type: 'string', maxLength: 10 }, n: { type: 'integer' }, b: other },
            },
          }),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: ruled(
        'map',
        fc
          .record({
            type: some('object'),
            additionalProperties: tie('any'),
            maxProperties: some(3, 10, 10, 100, 200, undefined),
            'x-kubernetes-map-type': maybe(4, some('atomic', 'granular')),
          })
          .map(said) as fc.Arbitrary<Schema>,
      ),
    },
  ),
  object: ruled(
    'object',
    fc
      .record({
        type: some('object'),
        properties: fc.dictionary(some('a', 'b', 'c', 'd'), tie('any'), {
          minKeys: 1,
          maxKeys: 3,
          noNullPrototype: true,
        }),
        'x-kubernetes-map-type': maybe(6, some('atomic')),
        'x-kubernetes-preserve-unknown-fields': maybe(6, some(true as const)),
      })
      .map(said) as fc.Arbitrary<Schema>,
  ),
}));

/** A rule where Kubernetes may or may not allow one: below a keyword that only restricts values. */
const nested: fc.Arbitrary<(properties: Readonly<Record<string, Schema>>) => Schema> = fc
  .tuple(
    some('allOf', 'anyOf', 'oneOf', 'not'),
    some(...COMMON, '', 'self.a == 1'),
    some('here', 'property', 'items', 'values'),
  )
  .map(([keyword, text, at]) => (properties) => {
    const own: Schema = { 'x-kubernetes-validations': [{ rule: text }] };
    const [first = 'a'] = Object.keys(properties);
    const places = {
      here: own,
      property: { properties: { [first]: own } },
      items: { properties: { [first]: { items: own } } },
      values: { properties: { [first]: { additionalProperties: own } } },
    };
    const restriction: Schema = places[at as keyof typeof places];
    return keyword === 'not' ? { not: restriction } : { [keyword]: [restriction] };
  });

/** The schema of a kind. Half of them declare the fields of every resource. */
const root: fc.Arbitrary<Schema> = fc
  .tuple(
    object,
    fc.boolean(),
    any,
    rule('string'),
    maybe(20, nested),
    maybe(3, rule('root')),
    maybe(4, fc.boolean()),
  )
  .map(([schema, declares, status, kindRule, below, rootRule, rulesKind]) => {
    const { 'x-kubernetes-preserve-unknown-fields': _, 'x-kubernetes-map-type': __, ...own } = schema;
    const { properties = {} } = own;
    const text: Schema = { type: 'string' };
    const resource: Record<string, Schema> = declares
      ? {
          kind: rulesKind === true ? { ...text, 'x-kubernetes-validations': [kindRule] } : text,
          apiVersion: text,
          metadata: { type: 'object' },
        }
      : {};
    const rootRules = rootRule === undefined ? {} : { 'x-kubernetes-validations': [rootRule] };
    const spec: Schema = { type: 'object', properties, ...below?.(properties) };
    return { ...own, ...rootRules, properties: { ...resource, ...properties, spec, status } };
  });

/** A value that mostly fits a schema. */
function fitting(schema: Schema): fc.Arbitrary<JsonValue> {
  if (schema['x-kubernetes-int-or-string'] === true) return some<JsonValue>(1, 2, '1', 'a');
  const { type, items, additionalProperties: values, properties = {}, enum: allowed } = schema;
  if (allowed !== undefined) return some<JsonValue>(...allowed, 'a');
  if (type === 'string') return some('a', 'ab', 'b', 'zz', '12');
  if (type === 'integer') return some(0, 1, 2, 3);
  if (type === 'array') return fc.array(fitting(items as Schema), { maxLength: 3 });
  if (typeof values === 'object') {
    return fc.dictionary(some('a', 'b', 'ax'), fitting(values), { maxKeys: 2, noNullPrototype: true });
  }
  const fields = Object.entries(properties).filter(([name]) => name !== 'metadata');
  const members = fields.map(([name, each]) => [name, fitting(each)] as const);
  const unknown =
    schema['x-kubernetes-preserve-unknown-fields'] === true ? { zz: some<JsonValue>(1, [1, 2]) } : {};
  const requiredKeys = schema.required ?? [];
  const all = { ...Object.fromEntries(members), ...unknown } as Record<string, fc.Arbitrary<JsonValue>>;
  return fc.record(all, {
    requiredKeys: [...requiredKeys] as never[],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonValue>;
}

/** A former value: parts of one value, the rest of another one. Some lists have another order. */
function mixed(one: JsonValue, other: JsonValue, coins: readonly boolean[], depth = 0): JsonValue {
  const coin = (at: number) => coins[(depth * 7 + at) % coins.length] ?? false;
  if (Array.isArray(one)) return coin(0) ? one : one.toReversed();
  if (
    typeof one !== 'object' ||
    one === null ||
    typeof other !== 'object' ||
    other === null ||
    Array.isArray(other)
  ) {
    return coin(0) ? one : other;
  }
  const entries = Object.entries(one).flatMap(([name, value], at): [string, JsonValue][] => {
    if (coin(at + 1)) return [[name, value]];
    const before = other[name];
    return before === undefined ? [] : [[name, mixed(value, before, coins, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

function changed(schema: Schema): fc.Arbitrary<{ readonly value: JsonObject; readonly old?: JsonObject }> {
  const coins = fc.array(fc.boolean(), { minLength: 11, maxLength: 11 });
  const all = some(true, false, false);
  return fc
    .tuple(
      fitting(schema),
      fc.option(fitting(schema), { nil: undefined, freq: 5 }),
      coins,
      all,
      some('', 'a', 'b'),
    )
    .map(([fits, other, tossed, same, label]) => {
      const resource = { apiVersion: 'example.com/v1', kind: 'Thing' };
      const value = { ...(fits as JsonObject), ...resource, metadata: { name: 'one' } };
      if (other === undefined) return { value };
      const before = same ? value : (mixed(fits, other, tossed) as JsonObject);
      const metadata: JsonObject = { name: 'one', ...(label !== '' && { labels: { a: label } }) };
      return { value, old: { ...before, ...resource, metadata } };
    });
}

function definitionOf(first: Schema, second: Schema | undefined): JsonObject {
  const version = (name: string, schema: Schema) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: schema },
  });
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      names,
      scope: 'Namespaced',
      versions: [version('v1', first), ...(second === undefined ? [] : [version('v2', second)])],
      conversion: { strategy: 'None' },
    },
    status: { conditions: [], acceptedNames: names, storedVersions: ['v1'] },
  } as unknown as JsonObject;
}

/** Definitions and objects. Half of the definitions replace another one, which Kubernetes might refuse today. */
export const ruleQuestion: fc.Arbitrary<RuleQuestion> = fc
  .tuple(
    root,
    maybe(3, root),
    maybe(2, fc.tuple(some('same', 'same', 'same', 'other'), some('same', 'other', 'first'), root)),
  )
  .chain(([first, second, before]) =>
    fc.tuple(
      fc.constant({ first, second, before }),
      fc.array(changed(first), { minLength: 4, maxLength: 4 }),
    ),
  )
  .map(([{ first, second, before }, objects]) => {
    const definition = definitionOf(first, second);
    if (before === undefined) return { definition, objects };
    const [one, two, other] = before;
    const schemas = { same: second ?? first, other, first };
    const old = definitionOf(
      one === 'same' ? first : other,
      second === undefined ? undefined : schemas[two as 'same'],
    );
    return { definition, old, objects };
  });
