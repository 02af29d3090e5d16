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
});
