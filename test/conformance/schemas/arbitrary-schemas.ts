import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import type { Schema } from '../../../lib/kubernetes/schemas/index.ts';
import type { Question } from './oracle.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const name = fc.constantFrom(...NAMES);
const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const optional = { requiredKeys: ['type'] as never[] };

const text = fc.record(
  {
    type: some('string'),
    nullable: fc.boolean(),
    minLength: some(1, 2),
    maxLength: some(1, 3),
    pattern: some('^a', 'x$', '[0-9]'),
    format: some('ipv4', 'ipv6', 'date', 'date-time', 'duration', 'int32', 'nonsense'),
    enum: some(['x', 'a'], ['yy']),
    default: some('x', 'a'),
  },
  optional,
);
const number = fc.record(
  {
    type: some('integer', 'number'),
    nullable: fc.boolean(),
    minimum: some(0, 2),
    maximum: some(1, 5),
    exclusiveMinimum: fc.boolean(),
    multipleOf: some(2, 3),
    enum: some([1, 2]),
    format: some('int32', 'double', 'ipv4'),
    default: some(1, 2),
  },
  optional,
);
const scalar = fc.oneof(text, number, some<Schema>({ type: 'boolean' }, { type: 'boolean', default: true }));

/** A schema that may stand below anyOf and similar keywords. */
const restriction: fc.Arbitrary<Schema> = fc.oneof(
  name.map((each) => ({ required: [each] })),
  some<Schema>({ minProperties: 1 }),
);

const { object } = fc.letrec<{ any: Schema; object: Schema }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: scalar as fc.Arbitrary<Schema> },
    {
      weight: 1,
      arbitrary: some<Schema>(
        { 'x-kubernetes-int-or-string': true },
        { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        { 'x-kubernetes-preserve-unknown-fields': true },
        { type: 'object', additionalProperties: true },
        { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a', 'b'],
          items: {
            type: 'object',
            required: ['a'],
            properties: { a: { type: 'string' }, b: { type: 'integer', default: 1 }, c: { type: 'boolean' } },
          },
        },
      ),
    },
    { weight: 2, arbitrary: tie('object') },
    {
      weight: 1,
      arbitrary: fc.record(
        { type: some('array'), items: tie('any'), minItems: some(1), maxItems: some(2) },
        { requiredKeys: ['type', 'items'] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        { type: some('object'), additionalProperties: tie('any'), maxProperties: some(1) },
        { requiredKeys: ['type', 'additionalProperties'] },
      ),
    },
  ),
  object: fc.record(
    {
      type: some('object'),
      properties: fc.dictionary(name, tie('any'), { minKeys: 1, maxKeys: NAMES.length }),
      required: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
      nullable: some(false),
      allOf: fc.array(restriction, { minLength: 1, maxLength: 2 }),
      not: restriction,
      'x-kubernetes-preserve-unknown-fields': some(true as const),
    },
    { requiredKeys: ['type', 'properties'] },
  ) as fc.Arbitrary<Schema>,
}));

const scalarValue = some<JsonValue>(
  'x',
  'yy',
  '',
  'a',
  1,
  2,
  7,
  -3,
  1.5,
  true,
  null,
  '2024-01-01',
  '1.2.3.4',
  '1h',
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: scalarValue },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc.dictionary(some(...NAMES, 'z'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    },
  ),
}));
const objectValue = fc.dictionary(some(...NAMES, 'z'), value, { maxKeys: 5, noNullPrototype: true });

/** Parts that make a schema non-structural, for any place in it. */
const fault = some<Schema>(
  { type: 'array' },
  { title: 't', anyOf: [{ type: 'string' }] },
  { additionalProperties: { type: 'string' } },
  { 'x-kubernetes-embedded-resource': true, type: 'string' },
  { 'x-kubernetes-int-or-string': true },
  { pattern: '(' },
  { not: { properties: { metadata: {} }, additionalProperties: { minimum: 1 } } },
  { allOf: [{ properties: { z: { minimum: 1 } } }] },
  { properties: { metadata: { type: 'object', required: ['name'] }, kind: { type: 'integer' } } },
);

const spoilt = fc.tuple(object, fault, name).map(([schema, wrong, at]): Schema => {
  const { properties = {} } = schema;
  return { ...schema, properties: { ...properties, [at]: { ...properties[at], ...wrong } }, ...wrong };
});

/** A schema and objects that may fit it. One schema of five is not structural. */
export const question: fc.Arbitrary<Question> = fc.record({
  schema: fc.oneof({ weight: 4, arbitrary: object }, { weight: 1, arbitrary: spoilt }),
  values: fc.array(objectValue as fc.Arbitrary<JsonObject>, { minLength: 4, maxLength: 4 }),
});
