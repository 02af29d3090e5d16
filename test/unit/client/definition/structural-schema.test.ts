import { describe, expect, it } from '@jest/globals';
import { UnsupportedSchemaError } from '../../../../lib/client/definition/index.ts';
import type { JsonSchema } from '../../../../lib/client/definition/json-schema.ts';
import { structuralSchema } from '../../../../lib/client/definition/structural-schema.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const field = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema } });

describe('The structural schema of a JSON Schema', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a number as a constant', { const: 5 }, { type: 'integer', enum: [5] }],
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'a schema or null',
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], default: 'x', description: 'A name.' },
      { type: 'string', minLength: 1, nullable: true, default: 'x', description: 'A name.' },
    ],
    ['values or null', { enum: ['a', null] }, { type: 'string', enum: ['a', null], nullable: true }],
    [
      'an exclusive limit',
      { type: 'number', exclusiveMinimum: 3 },
      { type: 'number', minimum: 3, exclusiveMinimum: true },
    ],
    [
      'a stricter inclusive limit',
      { type: 'integer', exclusiveMaximum: 9, maximum: 5 },
      { type: 'integer', maximum: 5 },
    ],
    ['anything', {}, { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'a map of objects with further fields',
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { a: { type: 'string' } },
          additionalProperties: {},
        },
      },
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { a: { type: 'string' } },
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    ],
    ['an integer or a string', { type: ['integer', 'string'] }, { 'x-kubernetes-int-or-string': true }],
    [
      'an integer or a string, as zod writes it',
      { anyOf: [{ type: 'integer', minimum: -SAFE, maximum: SAFE }, { type: 'string' }] },
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'a union of constants',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      { type: 'string', enum: ['a', 'b', 'c'] },
    ],
    [
      'a union with a branch that may be null',
      { anyOf: [{ anyOf: [{ const: 'a' }, { type: 'null' }] }, { const: 'b' }] },
      { type: 'string', enum: ['a', 'b', null], nullable: true },
    ],
    [
      'an integer, or a string or null',
      { anyOf: [{ type: 'integer' }, { type: ['string', 'null'] }] },
      { 'x-kubernetes-int-or-string': true, nullable: true },
    ],
    [
      'a type without null, with values',
      { type: 'string', enum: ['a', null] },
      { type: 'string', enum: ['a'] },
    ],
    [
      'a union of texts',
      { anyOf: [{ type: 'string', pattern: 'a', description: 'A' }, { const: 'b' }] },
      { type: 'string', anyOf: [{ pattern: 'a' }, { enum: ['b'] }] },
    ],
    [
      'several patterns, as zod writes them',
      {
        type: 'string',
        format: 'ends_with',
        allOf: [{ pattern: '^a' }, { pattern: 'b$' }, { pattern: 'c' }],
      },
      { type: 'string', pattern: '^a', allOf: [{ pattern: 'b$' }, { pattern: 'c' }] },
    ],
    [
      'an intersection of objects',
      {
        allOf: [
          { type: 'object', properties: { b: { type: 'string', minLength: 1 } }, required: ['b'] },
          { type: 'object', properties: { b: { maxLength: 5, minLength: 2 }, c: {} }, required: ['c'] },
        ],
      },
      {
        type: 'object',
        properties: {
          b: { type: 'string', minLength: 2, maxLength: 5 },
          c: { 'x-kubernetes-preserve-unknown-fields': true },
        },
        required: ['b', 'c'],
      },
    ],
    ['a duration of ISO 8601', { type: 'string', format: 'duration' }, { type: 'string' }],
    ['a UUID', { type: 'string', format: 'uuid' }, { type: 'string', format: 'uuid' }],
    [
      'a list that Kubernetes merges by item',
      {
        type: 'array',
        items: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
      },
      {
        type: 'array',
        items: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
      },
    ],
    [
      'a list without items',
      { type: 'array', maxItems: 3 },
      { type: 'array', maxItems: 3, items: { 'x-kubernetes-preserve-unknown-fields': true } },
    ],
    [
      'a map',
      { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
    [
      'a closed object',
      {
        type: 'object',
        properties: { b: { type: 'boolean' } },
        required: ['b'],
        additionalProperties: false,
      },
      { type: 'object', properties: { b: { type: 'boolean' } }, required: ['b'] },
    ],
    [
      'an open object',
      { type: 'object', properties: { b: { type: 'boolean' } }, additionalProperties: {} },
      {
        type: 'object',
        properties: { b: { type: 'boolean' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
  ])('The schema of %s is translated', (_, given, expected) => {
    expect(structuralSchema(field(given), 'spec')).toEqual(field(expected));
  });

  it('A reference is replaced by its target, at each place', () => {
    const $ref = { $ref: '#/$defs/band' };
    const schema = { ...field($ref), $defs: { band: { type: 'integer', title: 'Band' } } };
    expect(
      structuralSchema({ ...schema, properties: { a: $ref, b: { ...$ref, description: 'B' } } }, 'spec'),
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer', description: 'B' } },
    });
  });

  it('The conditions beside a reference and those of its target both count', () => {
    const $defs = { id: { type: 'string', minLength: 5, maxLength: 9, description: 'The target.' } };
    const $ref = { $ref: '#/$defs/id', minLength: 2, maxLength: 7, description: 'The field.' };
    expect(structuralSchema({ ...field($ref), $defs }, 'spec')).toEqual(
      field({ type: 'string', minLength: 5, maxLength: 7, description: 'The field.' }),
    );
  });

  it.each(['title', 'examples', 'deprecated', '$comment', 'readOnly', 'contentEncoding', 'x-order'])(
    'The annotation %s is dropped',
    (keyword) => {
      expect(structuralSchema(field({ type: 'string', [keyword]: ['a'] }), 'spec')).toEqual(
        field({ type: 'string' }),
      );
    },
  );

  it.each<[string, JsonSchema, string]>([
    ['a recursive type', { $ref: '#' }, 'contains itself'],
    ['a reference to elsewhere', { $ref: 'https://example.com/x' }, 'leads nowhere'],
    ['a reference to nothing', { $ref: '#/$defs/x' }, 'leads nowhere'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }, 'a tuple is not possible'],
    ['a union of objects', { oneOf: [field({}), field({ const: 'x' })] }, 'a union of different types'],
    ['a union of types', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'a union of different types'],
    ['limits in a union', { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] }, 'a union of'],
    ['several types', { type: ['string', 'boolean'] }, 'several types (string, boolean)'],
    ['only null', { type: 'null' }, 'always null'],
    ['null as a constant', { const: null }, 'always null'],
    ['no value', { not: {} }, 'the keyword not'],
    ['mixed values', { enum: ['a', 1] }, 'values of several types'],
    ['look-ahead', { type: 'string', pattern: '^(?!x)' }, 'look-around or back-references'],
    ['look-behind', { type: 'string', pattern: '(?<=x)y' }, 'look-around or back-references'],
    ['a back-reference', { type: 'string', pattern: '(a)\\1' }, 'look-around or back-references'],
    ['unique items', { type: 'array', uniqueItems: true }, 'uniqueItems'],
    ['an intersection of types', { allOf: [{ type: 'string' }, { type: 'boolean' }] }, 'conditions "type"'],
    ['no common value', { allOf: [{ enum: ['a'] }, { enum: ['b'] }] }, 'conditions "enum"'],
    ['two unions', { anyOf: [{}, {}], allOf: [{ anyOf: [{ const: 1 }] }] }, 'conditions "anyOf"'],
    ['an unknown keyword', { type: 'string', shortest: 5 }, 'the keyword shortest'],
    ['an unknown keyword of Kubernetes', { type: 'string', 'x-kubernetes-new': 5 }, 'x-kubernetes-new'],
    ['names by pattern', { type: 'object', patternProperties: {} }, 'the keyword patternProperties'],
    [
      'a second pattern with look-ahead',
      { type: 'string', allOf: [{ pattern: 'a' }, { pattern: '(?=b)' }] },
      'RE2',
    ],
    [
      'a default in a union',
      { anyOf: [{ type: 'string', default: 'a' }, { type: 'string' }] },
      'give it to the union',
    ],
    ['names of fields', { type: 'object', propertyNames: { pattern: 'a' } }, 'names of fields'],
    [
      'named and other fields',
      { ...field({}), additionalProperties: { type: 'string' } },
      'either named fields or fields of any name',
    ],
    ['a condition', { type: 'string', if: {} }, 'the keyword if'],
  ])('A schema with %s is refused, with its path', (_, given, why) => {
    const refused = () => structuralSchema(field({ type: 'array', items: given }), 'spec');
    expect(refused).toThrow(UnsupportedSchemaError);
    expect(refused).toThrow(/^spec\.a\[\]/);
    expect(refused).toThrow(why);
  });
});
