import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fromJsonSchema, install, type Preview } from '../../../lib/client/definition/index.ts';
import {
  ConflictError,
  connect,
  defineKind,
  InvalidError,
  type Winnow,
} from '../../../lib/client/objects/index.ts';
import { asDefiner } from '../../support/service/as-definer.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { arktypeSpec, valibotSpec, zodSpec } from '../../unit/client/definition/vehicles.ts';

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
const NAMES = { group: 'fleet.example', version: 'v1' } as const;
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

it('A request right after the install of a change sees it, also in another function', async () => {
  const at = (port: object, selectable: string[]) =>
    defineKind({
      ...NAMES,
      kind: 'Probe',
      plural: 'probes',
      spec: fromJsonSchema<{ port: string }>({ type: 'object', properties: { port } }),
      selectable: selectable as never[],
    });
  for (let round = 0; round < 5; round++) {
    const isEven = round % 2 === 0;
    const kind = at({ type: 'string', maxLength: isEven ? 1 : 2 }, isEven ? [] : ['spec.port']);
    await install(winnow, kind);
    const probes = winnow.objects(kind, { namespace: 'default' });
    // The function that lists is not the one that wrote the definition.
    const list = probes.list('', { fields: { 'spec.port': 'x' } as never }).toArray();
    const create = () => probes.create({ metadata: { name: `p${round}` }, spec: { port: 'xy' } });
    if (isEven) {
      await expect(list).rejects.toThrow('field label not supported');
      await expect(create()).rejects.toBeInstanceOf(InvalidError);
    } else {
      expect(await list).toEqual([]);
      await create();
    }
  }
});

it('An apply merges keyed lists by item and sets by value', async () => {
  const spec = z.object({
    ports: z.array(z.object({ name: z.string(), port: z.int().optional() })).optional(),
    tags: z.array(z.string()).optional(),
  });
  const definition = { ...NAMES, kind: 'Door', plural: 'doors', spec } as const;
  const Door = defineKind({ ...definition, lists: { 'spec.ports': ['name'] }, sets: ['spec.tags'] });
  await install(winnow, Door);
  const other = connect({ url: service.winnow.url, manager: 'other' });
  const metadata = { name: 'a' };
  const where = { namespace: 'default' };
  await winnow
    .objects(Door, where)
    .apply({ metadata, spec: { ports: [{ name: 'a', port: 1 }], tags: ['x'] } });
  const merged = await other
    .objects(Door, where)
    .apply({ metadata, spec: { ports: [{ name: 'b', port: 2 }], tags: ['y'] } });
  expect(merged.spec).toEqual({
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
    tags: ['x', 'y'],
  });
});

it.each([
  ['zod', zodSpec],
  ['Valibot', valibotSpec],
  ['ArkType', arktypeSpec],
])('The server accepts the definition from %s, and checks its conditions', async (library, spec) => {
  const plural = `${library.toLowerCase()}cars`;
  const Car = defineKind({
    ...NAMES,
    kind: `${library}Car`,
    plural,
    spec: spec as typeof zodSpec,
    selectable: ['spec.state'],
  });
  await install(winnow, Car);
  const cars = winnow.objects(Car, { namespace: 'default' });
  const car = { model: 'x', form: 'road', note: null, port: 'http', counts: { a: 1 }, plate: 'AB' } as const;
  const { spec: stored } = await cars.create({ metadata: { name: 'a' }, spec: car });
  expect(stored).toEqual({ ...car, state: 'active', wheels: 4 });
  for (const [path, wrong] of [
    ['spec.model', { model: '' }],
    ['spec.state', { state: 'gone' }],
    ['spec.form', { form: 'rail' }],
    ['spec.load', { load: 0 }],
    ['spec.port', { port: true }],
    ['spec.counts.a', { counts: { a: 'b' } }],
    ['spec.plate', { plate: 'a' }],
    ['spec.trips[0].id', { trips: [{}] }],
  ] as const) {
    const refused = await cars
      .create({ metadata: { name: 'b' }, spec: { ...car, ...wrong } as never })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidError);
    expect((refused as InvalidError).causes[0]?.field).toBe(path);
  }
});

it('An install shows the stored objects that it would refuse, and the caller can stop it', async () => {
  const widthKind = (most: number) =>
    defineKind({ ...NAMES, kind: 'Wall', plural: 'walls', spec: z.object({ width: z.int().max(most) }) });
  await install(winnow, widthKind(9));
  const walls = winnow.objects(widthKind(9), { namespace: 'default' });
  await walls.create({ metadata: { name: 'a' }, spec: { width: 9 } });
  await walls.create({ metadata: { name: 'b' }, spec: { width: 1 } });
  const stopped = install(winnow, widthKind(5), {
    preview: ({ refused, objects, complete }) => {
      throw new Error(`${refused} ${objects.join()} ${complete}`);
    },
  });
  await expect(stopped).rejects.toThrow('1 default/a: spec.width true');
  await walls.create({ metadata: { name: 'c' }, spec: { width: 8 } });
  let shown: Preview | undefined;
  const preview = (given: Preview) => {
    shown = given;
  };
  await install(winnow, widthKind(9), { preview });
  expect(shown).toEqual({ refused: 0, objects: [], complete: true });
  await install(winnow, widthKind(5), { preview });
  expect(shown?.objects).toEqual(['default/a: spec.width', 'default/c: spec.width']);
  const wide = walls.create({ metadata: { name: 'd' }, spec: { width: 8 } });
  await expect(wide).rejects.toBeInstanceOf(InvalidError);
});

it('An install by a caller who may not list the objects tells that the server did not check them', async () => {
  const gridKind = (most: number) =>
    defineKind({ ...NAMES, kind: 'Grid', plural: 'grids', spec: z.object({ width: z.int().max(most) }) });
  await install(winnow, gridKind(9));
  const grids = winnow.objects(gridKind(9), { namespace: 'default' });
  await grids.create({ metadata: { name: 'a' }, spec: { width: 9 } });
  const shown: Preview[] = [];
  const preview = (given: Preview) => {
    shown.push(given);
    throw new Error('stopped');
  };
  const ann = connect({ url: service.winnow.url, fetch: await asDefiner(service.http, 'ann') });
  await expect(install(ann, gridKind(5), { force: true, preview })).rejects.toThrow('stopped');
  expect(shown).toEqual([{ refused: 0, objects: [], complete: false }]);
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
