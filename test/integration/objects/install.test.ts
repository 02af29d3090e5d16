import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fromJsonSchema, install } from '../../../lib/client/definition/index.ts';
import {
  ConflictError,
  connect,
  defineKind,
  InvalidError,
  type Winnow,
} from '../../../lib/client/objects/index.ts';
import { type Service, startService } from '../../support/service/service.ts';

interface Input {
  model: string;
  state?: 'active' | 'retired';
  note?: 'a' | 'b' | null;
  port?: number | string;
  load?: number;
  bands?: { rate?: number | null }[];
  extra?: unknown;
  tags?: Record<string, string>;
}

const SAFE = Number.MAX_SAFE_INTEGER;
/** As zod writes it. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    model: { type: 'string', minLength: 1 },
    state: { default: 'active', type: 'string', enum: ['active', 'retired'] },
    note: {
      anyOf: [
        {
          anyOf: [
            { const: 'a', type: 'string' },
            { const: 'b', type: 'string' },
          ],
        },
        { type: 'null' },
      ],
    },
    port: { anyOf: [{ type: 'integer', minimum: -SAFE, maximum: SAFE }, { type: 'string' }] },
    load: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    bands: { type: 'array', items: { $ref: '#/$defs/band' } },
    extra: {},
    tags: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'string' } },
  },
  required: ['model'],
  $defs: { band: { type: 'object', properties: { rate: { type: ['integer', 'null'] } } } },
};
const kindOf = (schema: object, rule = "self.model != 'none'") =>
  defineKind({
    group: 'fleet.example',
    version: 'v1',
    kind: 'Camera',
    plural: 'cameras',
    spec: fromJsonSchema<Input, Input & { state: 'active' | 'retired' }>(schema),
    selectable: ['spec.state'],
    columns: { Model: 'spec.model' },
    rules: [{ rule, message: 'none is no model' }],
  });
const Camera = kindOf(SCHEMA);

let service: Service;
let winnow: Winnow;

beforeAll(async () => {
  service = await startService();
  winnow = connect({ url: service.winnow.url });
});

afterAll(() => service.stop());

it('An installed kind is served at once, with the schema, the defaults and the rules', async () => {
  await install(winnow, Camera);
  const cameras = winnow.objects(Camera, { namespace: 'default' });
  const spec: Input = {
    model: 'x2',
    note: null,
    port: 'http',
    load: 0.5,
    bands: [{ rate: null }, { rate: 5 }],
    extra: { any: ['thing'] },
    tags: { a: 'b' },
  };
  const created = await cameras.create({ metadata: { name: 'a' }, spec });
  expect(created.spec).toEqual({ ...spec, state: 'active' });
  expect(await cameras.list('', { fields: { 'spec.state': 'active' } }).toArray()).toEqual([created]);
  // Kubernetes also says that it did not check the rules.
  const faultOf = async (wrong: object) => {
    const spec = { model: 'x2', ...wrong } as Input;
    const error = await cameras.create({ metadata: { name: 'b' }, spec }).catch((refused) => refused);
    expect(error).toBeInstanceOf(InvalidError);
    return (error as InvalidError).causes[0]?.field;
  };
  expect(await faultOf({ note: 'c' })).toBe('spec.note');
  expect(await faultOf({ load: 0 })).toBe('spec.load');
  expect(await faultOf({ port: true })).toBe('spec.port');
  expect(await faultOf({ model: 'none' })).toBe('spec');
});

it('A second install of a changed kind changes its definition', async () => {
  await install(winnow, Camera);
  const properties = { ...SCHEMA.properties, model: { type: 'string', maxLength: 2 } };
  await install(winnow, kindOf({ ...SCHEMA, properties }));
  const cameras = winnow.objects(Camera, { namespace: 'default' });
  const long = cameras.create({ metadata: { name: 'long' }, spec: { model: 'x22' } });
  await expect(long).rejects.toBeInstanceOf(InvalidError);
});

it('An install takes over the fields of another manager only by force', async () => {
  await install(winnow, Camera, { force: true });
  const other = connect({ url: service.winnow.url, manager: 'other' });
  const changed = kindOf({ ...SCHEMA, required: [] });
  await expect(install(other, changed)).rejects.toBeInstanceOf(ConflictError);
  await install(other, changed, { force: true });
});

it('An install of a definition that the server refuses is an error', async () => {
  const wrong = kindOf(SCHEMA, 'self.nothing > 0');
  await expect(install(winnow, wrong, { force: true })).rejects.toBeInstanceOf(InvalidError);
});
