import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const STRUCTURAL = { type: 'string' };

/** Every field of a schema, a version and a definition that holds an object, a list or a map. */
const SCHEMA: JsonObject = {
  type: 'object',
  description: 'a schema',
  default: { name: 'a' },
  enum: [{ name: 'a' }],
  example: { name: 'a' },
  required: ['name'],
  externalDocs: { url: 'https://example.com' },
  properties: {
    name: { type: 'string', pattern: 'a', maxLength: 3, minLength: 1, format: 'date', enum: ['a'] },
    list: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', required: ['a'], properties: { a: STRUCTURAL } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    lists: { type: 'array', items: [STRUCTURAL], additionalItems: STRUCTURAL },
    map: { type: 'object', additionalProperties: STRUCTURAL, 'x-kubernetes-map-type': 'granular' },
    other: { type: 'object', patternProperties: { a: STRUCTURAL }, definitions: { a: STRUCTURAL } },
    depends: { type: 'object', dependencies: { a: ['b'], c: STRUCTURAL } },
  },
  allOf: [{ properties: { name: { minLength: 1 } } }],
  anyOf: [{ required: ['name'] }, { properties: { name: { maxLength: 3 } } }],
  oneOf: [{ required: ['name'] }],
  not: { required: ['other'] },
  'x-kubernetes-validations': [
    {
      rule: 'self.name != ""',
      message: 'no',
      messageExpression: '"no"',
      reason: 'FieldValueInvalid',
      fieldPath: '.name',
    },
  ],
};

const DEFINITION: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com', labels: { a: 'b' }, finalizers: ['a.example/b'] },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
    conversion: {
      strategy: 'None',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a' } },
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: SCHEMA } } },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
        additionalPrinterColumns: [{ name: 'Name', type: 'string', jsonPath: '.spec.name' }],
        selectableFields: [{ jsonPath: '.spec.name' }],
      },
    ],
  },
};

type Path = readonly (string | number)[];

/** The path of every value within a value. */
function pathsIn(value: JsonValue, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members: (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? value.map((item, at) => [at, item] as const)
    : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

/** A copy with another value at a path. */
function replaced(value: JsonValue, [key, ...rest]: Path, by: JsonValue): JsonValue {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? replaced(item, rest, by) : item));
  return { ...(value as JsonObject), [key]: replaced((value as JsonObject)[key] ?? null, rest, by) };
}

const PATHS = pathsIn(DEFINITION).filter(({ length }) => length > 0);

describe('A definition with nulls', () => {
  let api: MemoryApi;
  beforeAll(async () => {
    api = await createMemoryApi();
  });

  it.each(PATHS.map((path) => [path.join('.'), path] as const))(
    'A definition with null at %s is created or refused as invalid',
    async (_name, path) => {
      const definition = replaced(DEFINITION, path, null) as JsonObject;
      const { status, body } = await api.send('POST', `${PATH}?dryRun=All`, definition);

      expect({ path, status, message: status < 500 ? '' : body.message }).toEqual({
        path,
        status: expect.any(Number),
        message: '',
      });
      expect([201, 400, 422]).toContain(status);
    },
  );

  it.each([
    ...['items.0', 'allOf.0', 'properties.name', 'x-kubernetes-validations.0', 'required.0'],
    ...['additionalItems', 'additionalProperties', 'definitions.a', 'patternProperties.a', 'dependencies.a'],
  ])(
    'A definition with a list of null, a map of null, or a number in place of %s causes no 5xx',
    async (name) => {
      const [field = '', member] = name.split('.');
      for (const wrong of [null, [null], { a: null }, 7, [7], 'x', true, [[]]]) {
        const within = member === undefined ? wrong : member === '0' ? [wrong] : { [member]: wrong };
        const spec = { ...SCHEMA, [field]: within };
        const path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];
        const definition = replaced(DEFINITION, path, spec) as JsonObject;
        const { status } = await api.send('POST', `${PATH}?dryRun=All`, definition);

        expect({ wrong, status: status < 500 }).toEqual({ wrong, status: true });
      }
    },
  );
});
