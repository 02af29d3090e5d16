import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { loadComponents } from '../../../../lib/kubernetes/openapi/index.ts';
import { swagger } from '../../../../lib/server/documents/swagger.ts';

const components = await loadComponents();
const KINDS = { 'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'A' }] };
const KEPT = { 'x-kubernetes-preserve-unknown-fields': true };

function definitionOf(schema: JsonObject): unknown {
  const document = { paths: {}, components: { schemas: { A: { ...schema, ...KINDS } } } };
  const { definitions } = swagger([document], components);
  return (definitions as JsonObject).A;
}

it.each<[string, JsonObject, JsonObject]>([
  [
    'a kind that keeps unknown fields as an object without properties',
    { type: 'object', ...KEPT, properties: { spec: { type: 'object' } } },
    { type: 'object' },
  ],
  [
    'a field that keeps unknown fields without type and properties',
    { type: 'object', properties: { spec: { type: 'object', ...KEPT, properties: {} } } },
    { type: 'object', properties: { spec: KEPT } },
  ],
  [
    'a list that keeps unknown fields without type and items',
    { type: 'object', properties: { spec: { type: 'array', ...KEPT, items: { type: 'string' } } } },
    { type: 'object', properties: { spec: KEPT } },
  ],
  [
    'a property that may be null without type and requirement',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
    { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
  ],
  [
    'a kind whose required properties may all be null without requirements',
    { type: 'object', required: ['a'], properties: { a: { type: 'string', nullable: true } } },
    { type: 'object', properties: { a: {} } },
  ],
])('swagger writes %s', (_, schema, expected) => {
  expect(definitionOf(schema)).toEqual({ ...expected, ...KINDS });
});
