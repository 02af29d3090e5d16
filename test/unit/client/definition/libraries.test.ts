import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import {
  definitionOf,
  fromJsonSchema,
  UnsupportedSchemaError,
} from '../../../../lib/client/definition/index.ts';
import { defineKind, type OutputOf, type StandardSchema } from '../../../../lib/client/objects/index.ts';
import { arktypeSpec, valibotSpec, zodSpec } from './vehicles.ts';

const names = { group: 'fleet.example', version: 'v1', kind: 'Vehicle', plural: 'vehicles' } as const;

/** The structural schemas of the definition of a kind with a spec. */
function schemasOf(spec: StandardSchema): unknown {
  const [version] = definitionOf(defineKind({ ...names, spec })).spec.versions;
  return version?.schema.openAPIV3Schema.properties;
}

describe('The definition from a schema library', () => {
  it('zod, Valibot and ArkType give the same definition, with each form of the conversion', () => {
    const expected = {
      type: 'object',
      required: ['form', 'model'],
      properties: {
        model: { type: 'string', minLength: 1, description: 'The model.' },
        state: { type: 'string', enum: ['active', 'retired'], default: 'active' },
        wheels: { type: 'integer', default: 4 },
        note: { type: 'string', nullable: true },
        form: { type: 'string', enum: ['road'] },
        load: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 },
        extra: { 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        counts: { type: 'object', additionalProperties: { type: 'integer' } },
        plate: { type: 'string', pattern: '^[A-Z]+$' },
        trips: {
          type: 'array',
          maxItems: 3,
          items: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'string' }, length: { type: 'number' } },
          },
        },
        closed: { type: 'object', required: ['on'], properties: { on: { type: 'boolean' } } },
      },
    };
    expect(schemasOf(zodSpec)).toEqual({ spec: expected });
    expect(schemasOf(valibotSpec)).toEqual({ spec: expected });
    expect(schemasOf(arktypeSpec)).toEqual({ spec: expected });
  });

  it('The types of the three libraries are the same: a field with a default is always there', () => {
    const states: [
      OutputOf<typeof zodSpec>['state'],
      OutputOf<typeof valibotSpec>['state'],
      OutputOf<typeof arktypeSpec>['state'],
    ] = ['active', 'active', 'retired'];
    expect(new Set(states).size).toBe(2);
  });

  const cyclic = z.object({
    get parts() {
      return z.array(cyclic);
    },
  });
  it.each<[string, () => StandardSchema, string]>([
    ['a zod tuple', () => z.tuple([z.string(), z.int()]), 'spec.a: a tuple is not possible'],
    ['an ArkType tuple', () => type(['string', 'number']), 'spec.a: a tuple is not possible'],
    ['a zod transform', () => z.string().transform(Number), 'spec: the library cannot write the output'],
    ['a Valibot transform', () => toStandardJsonSchema(v.pipe(v.string(), v.transform(Number))), 'spec'],
    [
      'a zod codec',
      () => z.codec(z.string(), z.int(), { decode: Number, encode: String }),
      'spec.a: the schema changes values',
    ],
    ['zod stringbool', () => z.stringbool(), 'spec.a: the schema changes values'],
    ['a zod date', () => z.date(), 'spec: the library cannot write the input'],
    ['a recursive zod type', () => cyclic, 'spec.a.parts[]: the schema contains itself'],
    [
      'a discriminated zod union',
      () => z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      'spec.a: a union of different types',
    ],
    ['a mixed ArkType union', () => type('string | boolean'), 'spec.a'],
    ['a mixed zod union', () => z.union([z.string(), z.boolean()]), 'spec.a: a field of several types'],
    [
      'a zod record with an enum of names',
      () => z.partialRecord(z.enum(['a', 'b']), z.int()),
      'spec.a: conditions on the names of fields',
    ],
    [
      'a zod pattern with look-ahead',
      () => z.string().regex(/^(?!x)/),
      'spec.a: the pattern ^(?!x) has look-around',
    ],
    ['an ArkType date with a back-reference', () => type('string.date.iso'), 'spec.a: the pattern'],
    [
      'an ArkType date object',
      () => type('Date'),
      'spec: the library cannot write the schema as JSON Schema: { code: "date", base: {} }',
    ],
    ['an ArkType bigint', () => type('bigint'), 'spec: the library cannot write the schema'],
    [
      'an ArkType string that a function changes',
      () => type('string').pipe((text) => text.trim(), type('string')),
      'spec: the library cannot write the schema',
    ],
    ['a zod set', () => z.set(z.string()), 'spec: the library cannot write the input'],
  ])('A spec with %s is refused with the path', (_, field, message) => {
    const refused = () => schemasOf(specWith(field()));
    expect(refused).toThrow(UnsupportedSchemaError);
    expect(refused).toThrow(message);
  });

  it('A condition of ArkType that is a function is left out, and its defaults and formats are not', () => {
    const spec = type({
      name: type.string.narrow((text) => text.length > 2),
      url: 'string.url',
      day: 'string.date',
      card: 'string.creditCard',
      size: 'number = 3',
    });
    expect(schemasOf(spec)).toHaveProperty('spec.properties', {
      name: { type: 'string' },
      url: { type: 'string', format: 'uri' },
      day: { type: 'string' },
      card: { type: 'string', pattern: expect.any(String) },
      size: { type: 'number', default: 3 },
    });
  });

  it('A union whose branches repeat its format is possible, such as a UUID of ArkType', () => {
    const other = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    const branches = [
      { format: 'uuid', pattern: expect.any(String) },
      { format: 'uuid', enum: ['00000000-0000-0000-0000-000000000000'] },
      { format: 'uuid', enum: [other] },
    ];
    expect(schemasOf(type({ id: 'string.uuid' }))).toHaveProperty('spec.properties.id', {
      type: 'string',
      description: 'a UUID',
      anyOf: branches,
    });
  });

  it('A union with a condition that only some of its branches repeat is refused', () => {
    const union = { format: 'uri', anyOf: [{ type: 'string', format: 'uri' }, { type: 'string' }] };
    const refused = () => schemasOf(fromJsonSchema({ type: 'object', properties: { a: union } }));
    expect(refused).toThrow('spec.a: the keyword format is not possible');
  });

  const now = () => new Date().toISOString();
  it.each<[string, StandardSchema, string]>([
    ['zod', z.object({ a: z.object({ b: z.string().default(now) }) }), 'spec.a.b'],
    ['zod, in an item', z.object({ a: z.array(z.object({ b: z.string().default(now) })) }), 'spec.a[].b'],
    ['Valibot', toStandardJsonSchema(v.object({ a: v.optional(v.string(), now) })), 'spec.a'],
    ['ArkType', type({ a: type('string').default(now) }) as StandardSchema, 'spec.a'],
  ])('A default that %s computes on each use is refused', (_, spec, path) => {
    const refused = () => schemasOf(spec);
    expect(refused).toThrow(UnsupportedSchemaError);
    expect(refused).toThrow(`${path}: the schema differs each time that it is read`);
  });

  it('A default that a function always gives alike is a constant', () => {
    const a = { type: 'object', properties: { b: { type: 'number' } }, default: { b: 1 } };
    const expected = { spec: { type: 'object', properties: { a: { ...a, required: ['b'] } } } };
    const same = () => ({ b: 1 });
    expect(schemasOf(z.object({ a: z.object({ b: z.number() }).default(same) }))).toEqual(expected);
    expect(schemasOf(type({ a: type({ b: 'number' }).default(same) }) as StandardSchema)).toEqual(expected);
  });

  it('A field that a schema sets without a default in its JSON Schema is refused', () => {
    const properties = { a: { type: 'string' } };
    const spec: StandardSchema = {
      '~standard': {
        jsonSchema: {
          input: () => ({ type: 'object', properties }),
          output: () => ({ type: 'object', properties, required: ['a'] }),
        },
      } as object,
    };
    expect(() => schemasOf(spec)).toThrow(
      'spec.a: the schema sets this field, but its JSON Schema has no default',
    );
  });

  it('Further forms of zod: intersections, several conditions, metadata, and the schema of zod/mini', () => {
    const spec = z.object({
      both: z.intersection(z.object({ x: z.string() }), z.object({ y: z.int() })),
      name: z
        .string()
        .startsWith('a')
        .regex(/b$/)
        .endsWith('c')
        .meta({ title: 'Name', examples: ['abc'] }),
      ports: z.array(z.object({ name: z.string() })).meta({
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    });
    const found = schemasOf(spec);
    expect(found).toHaveProperty(
      'spec.properties',
      expect.objectContaining({
        both: expect.objectContaining({ type: 'object', required: ['x', 'y'] }),
        name: { type: 'string', pattern: '^a.*', allOf: [{ pattern: 'b$' }, { pattern: '.*c$' }] },
        ports: expect.objectContaining({
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
        }),
      }),
    );
    expect(JSON.stringify(found)).not.toMatch(/title|examples|format/);
    expect(schemasOf(fromJsonSchema(z.toJSONSchema(spec, { io: 'input' })))).toEqual(found);
  });
});

/** A spec whose field `a` has a schema, in the library of that schema. */
function specWith(field: StandardSchema): StandardSchema {
  if (field instanceof z.ZodType) return z.object({ a: field });
  if ((field['~standard'] as { readonly vendor?: string }).vendor === 'arktype') {
    return type({ a: field } as never) as StandardSchema;
  }
  return toStandardJsonSchema(v.object({ a: field as v.GenericSchema }) as never);
}
