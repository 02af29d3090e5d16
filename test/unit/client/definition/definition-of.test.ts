import { describe, expect, it } from '@jest/globals';
import { definitionOf, fromJsonSchema } from '../../../../lib/client/definition/index.ts';
import { defineKind, type StandardSchema } from '../../../../lib/client/objects/index.ts';

const names = { group: 'fleet.example', version: 'v1', kind: 'Device', plural: 'devices' } as const;

/** A schema as a library with Standard JSON Schema has it. */
function standard(input: () => object, output: () => object): StandardSchema {
  const properties: StandardSchema['~standard'] & { jsonSchema: object } = { jsonSchema: { input, output } };
  return { '~standard': properties };
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('The definition of a kind', () => {
  it('The definition has the schemas, the rules, the selectable fields and the columns of the kind', () => {
    interface Spec {
      model: string;
      count?: number;
    }
    const spec = fromJsonSchema<Spec>(
      object({ model: { type: 'string' }, count: { type: 'integer' } }, { required: ['model'] }),
    );
    const kind = defineKind({
      ...names,
      scope: 'Cluster',
      spec,
      status: fromJsonSchema<{ seen?: string }>(object({ seen: { type: 'string' } })),
      selectable: ['spec.model'],
      columns: { Count: 'spec.count', Seen: 'status.seen', Made: 'metadata.creationTimestamp' },
      rules: [{ rule: 'self.count > 0', message: 'must be positive' }],
    });
    expect(definitionOf(kind)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'devices.fleet.example' },
      spec: {
        group: 'fleet.example',
        scope: 'Cluster',
        names: { plural: 'devices', singular: 'device', kind: 'Device' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            selectableFields: [{ jsonPath: '.spec.model' }],
            additionalPrinterColumns: [
              { name: 'Count', type: 'integer', jsonPath: '.spec.count' },
              { name: 'Seen', type: 'string', jsonPath: '.status.seen' },
              { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            ],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    properties: { model: { type: 'string' }, count: { type: 'integer' } },
                    required: ['model'],
                    'x-kubernetes-validations': [{ rule: 'self.count > 0', message: 'must be positive' }],
                  },
                  status: { type: 'object', properties: { seen: { type: 'string' } } },
                },
              },
            },
          },
        ],
      },
    });
  });

  it('A schema whose output only has its defaults filled in is accepted', () => {
    const state = { type: 'string', default: 'active' };
    const spec = standard(
      () => object({ state }),
      () => object({ state }, { required: ['state'], additionalProperties: false }),
    );
    const [version] = definitionOf(defineKind({ ...names, spec })).spec.versions;
    expect(version?.schema.openAPIV3Schema.properties).toEqual({ spec: object({ state }) });
  });

  it.each([
    [
      'another type',
      object({ a: object({ b: { type: 'integer' } }) }),
      'spec.a.b: the schema changes values',
    ],
    ['fewer fields', object({ a: object({}) }), 'spec.a'],
  ])('A schema whose output has %s is refused with the path', (_, output, message) => {
    const spec = standard(
      () => object({ a: object({ b: { type: 'string' } }) }),
      () => output,
    );
    expect(() => definitionOf(defineKind({ ...names, spec }))).toThrow(message);
  });

  it('A schema whose output the library cannot write is refused', () => {
    const spec = standard(
      () => object({}),
      () => {
        throw new Error('Transforms cannot be represented');
      },
    );
    expect(() => definitionOf(defineKind({ ...names, spec }))).toThrow(
      'spec: the library cannot write the output as JSON Schema: Transforms cannot be represented',
    );
  });

  it('A schema without JSON Schema is refused', () => {
    const spec: StandardSchema = { '~standard': {} };
    expect(() => definitionOf(defineKind({ ...names, spec }))).toThrow('use fromJsonSchema');
  });

  const parts = object(
    {
      model: { type: 'string' },
      load: { type: 'number' },
      bands: { type: 'array', items: { type: 'integer' } },
      ports: {
        type: 'array',
        items: object(
          {
            name: { type: 'string' },
            tags: { type: 'array', items: { type: 'string' } },
            deep: object({}),
            note: { type: 'string' },
          },
          { required: ['name'] },
        ),
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
    },
    { required: ['model'] },
  );
  /** A kind as a program without types defines it. */
  const untyped = (more: object) => {
    const definition = { ...names, spec: fromJsonSchema<{ model: string }>(parts), ...more };
    return () => definitionOf(defineKind(definition));
  };

  it.each<[string, object, string]>([
    [
      'A selectable path to nothing',
      { selectable: ['spec.modle'] },
      'spec.modle: a selectable path needs a field',
    ],
    [
      'A selectable path to metadata',
      { selectable: ['metadata.uid'] },
      'metadata.uid: a selectable path needs',
    ],
    [
      'A selectable number',
      { selectable: ['spec.load'] },
      'spec.load: a selectable field is a string, an integer or a boolean, and not a number',
    ],
    [
      'A selectable list',
      { selectable: ['spec.bands'] },
      'spec.bands: a selectable field is a string, an integer or a boolean, and not an array',
    ],
    ['A selectable item', { selectable: ['spec.bands[]'] }, 'spec.bands[]: a selectable path needs a field'],
    ['A selectable object', { selectable: ['spec'] }, 'spec: a selectable field is'],
    ['A ninth selectable path', { selectable: Array(9).fill('spec.model') }, '8 selectable fields at most'],
    ['A column of nothing', { columns: { A: 'spec.a' } }, 'spec.a: a column needs a field'],
    [
      'A column of a list',
      { columns: { A: 'spec.bands' } },
      'spec.bands: a column shows a single value, and not an array',
    ],
    [
      'A keyed list at a wrong path',
      { lists: { 'spec.port': ['name'] } },
      'spec.port: the schema has no list',
    ],
    ['A keyed list without keys', { lists: { 'spec.ports': [] } }, 'spec.ports: a keyed list needs a field'],
    [
      'A keyed list of values',
      { lists: { 'spec.bands': ['name'] } },
      'spec.bands: the items of a keyed list are objects',
    ],
    [
      'A key that the items lack',
      { lists: { 'spec.ports': ['nam'] } },
      'spec.ports[].nam: the schema has no such field',
    ],
    [
      'A key that is an object',
      { lists: { 'spec.ports': ['deep'] } },
      'spec.ports[].deep: a field that identifies items is a string',
    ],
    [
      'A key that may be missing',
      { lists: { 'spec.ports': ['note'] } },
      'spec.ports[].note: a field that identifies items is required',
    ],
    ['A set of objects', { sets: ['spec.ports'] }, 'spec.ports: the items of a set are strings'],
    ['A set at a wrong path', { sets: ['spec.model'] }, 'spec.model: the schema has no list'],
  ])('%s is refused with the path, without types too', (_, more, message) => {
    expect(untyped(more)).toThrow(message);
  });

  it('Keyed lists and sets become lists that an apply merges, also inside lists', () => {
    const definition = untyped({
      lists: { 'spec.ports': ['name'] },
      sets: ['spec.bands', 'spec.ports[].tags'],
    })();
    const schema = JSON.stringify(definition.spec.versions[0]?.schema.openAPIV3Schema);
    expect(schema.match(/"x-kubernetes-list-type":"set"/g)).toHaveLength(2);
    expect(schema).toContain('"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]');
  });
});
