/** Type tests: `npm run typecheck` and `types.test.ts` check them, and nothing runs them. */
import {
  absent,
  connect,
  defineKind,
  exists,
  type Kind,
  not,
  resource,
} from '../../../../lib/client/objects/index.ts';
import { Device, schema } from './fleet.ts';

const winnow = connect({ url: 'http://127.0.0.1:8080' });
const devices = winnow.objects(Device, { namespace: 'default' });
const maps = winnow.objects(resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps'));
const pods = winnow.objects(resource<Kind<{ status?: unknown }, unknown, 'status.phase'>>('v1', 'pods'));
const plain = winnow.objects(resource('v1', 'pods'), { namespace: 'a' });
const named = winnow.objects(resource<typeof Device>('fleet.example/v1', 'devices'), { namespace: 'a' });

const Plain = defineKind({
  group: 'g',
  version: 'v1',
  kind: 'P',
  plural: 'ps',
  spec: schema<{ model: string }>(),
});

export async function accepted(): Promise<void> {
  await devices.create({ metadata: { name: 'a', labels: { site: 'north' } }, spec: { model: 'x' } });
  await devices.create({ metadata: { generateName: 'a-' }, spec: { model: 'x', state: 'retired' } });
  const state: 'active' | 'retired' = (await devices.get('a')).spec.state;
  const band: number | undefined = (await devices.get({ name: 'a' })).spec.radio?.band;
  const seen: string | undefined = (await named.get('a')).status?.seen;
  for await (const device of devices.list({ site: ['north'], canary: absent, tier: not('web'), x: exists })) {
    await devices.delete(device.metadata);
  }
  for await (const { metadata } of devices.list('site', { fields: { 'spec.radio.band': 5 } })) {
    const version: string = metadata.resourceVersion;
    console.log(version);
  }
  for await (const event of devices.watch()) {
    console.log(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.spec.model);
  }
  await devices.update('a', (device) => {
    device.spec.state = 'retired';
  });
  await devices.update('a', async (device) => ({
    ...device,
    spec: { model: 'y', state: 'active' as const },
  }));
  await devices.updateStatus('a', (device) => {
    device.status = { seen: 'now', faults: 1 };
  });
  await devices.apply({ metadata: { name: 'a' }, spec: { radio: { band: 5 } } }, { force: true });
  await devices.patch('a', { metadata: { labels: { site: null } }, spec: { state: null, model: 'y' } });
  await maps.patch({ name: 'a', namespace: 'b' }, { data: { old: null, next: 'x' } });
  await maps.create({ metadata: { name: 'a' }, data: { a: 'b' } });
  await pods.list('', { fields: { 'status.phase': 'Running' } }).toArray();
  await plain.updateStatus('a', (object) => {
    object.status = {};
  });
  const live = devices.live({ site: ['north'] }, { fields: { 'spec.state': 'active' }, most: 10 });
  live.on('update', (device, before) => device.spec.state === before.spec.state);
  const models: readonly string[] = live.snapshot().map((device) => device.spec.model);
  const { facets } = await devices.facets(['site', 'tier'], 'site', { fields: { 'spec.state': 'active' } });
  const keys: readonly ['site', 'tier'] = [facets[0].key, facets[1].key];
  for await (const device of maps.selected('a', '', { of: Device })) console.log(device.spec.state);
  const [carrier] = await devices.selectedBy('a');
  await devices.review({ name: 'a', labels: { site: 'north' } });
  const begins = (await devices.review({ after: { metadata: { name: 'a' }, spec: { model: 'x' } } })).begins;
  const [row] = await devices.list('', { shape: 'table' }).toArray();
  const rows = devices.live('', { shape: 'table' }).where({ matches: ({ site }) => site === 'north' });
  const cells: readonly unknown[] | undefined = row?.cells ?? rows.get('a')?.cells;
  const [shown] = await devices.list('', { shape: 'metadata' }).toArray();
  for await (const event of devices.watch('', { shape: 'metadata' })) console.log(event.type);
  console.log(state, band, seen, models, keys, carrier?.selector, begins, cells, shown?.metadata.uid);
}

export async function refused(): Promise<void> {
  // @ts-expect-error: a required field of the spec is missing
  await devices.create({ metadata: { name: 'a' }, spec: {} });
  // @ts-expect-error: the spec is missing
  await devices.create({ metadata: { name: 'a' } });
  // @ts-expect-error: the name is missing
  await devices.create({ metadata: {}, spec: { model: 'x' } });
  // @ts-expect-error: the value is not in the enum
  await devices.create({ metadata: { name: 'a' }, spec: { model: 'x', state: 'gone' } });
  // @ts-expect-error: the spec has no such field
  await devices.create({ metadata: { name: 'a' }, spec: { model: 'x', modle: 'x' } });
  // @ts-expect-error: the metadata has no such field
  await devices.create({ metadata: { name: 'a', label: {} }, spec: { model: 'x' } });
  // @ts-expect-error: the spec has no such field
  (await devices.get('a')).spec.modle;
  // @ts-expect-error: the optional field may be missing
  (await devices.get('a')).spec.radio.band;
  // @ts-expect-error: the kind of the type parameter has no such field
  (await named.get('a')).spec.modle;
  // @ts-expect-error: a label has a text, not a number
  devices.list({ site: 5 });
  // @ts-expect-error: a condition needs a value
  not();
  // @ts-expect-error: this path is not selectable
  devices.list('', { fields: { 'spec.model': 'x' } });
  // @ts-expect-error: a field selector of this kind has no such path
  devices.watch('', { fields: { 'spec.stat': 'x' } });
  // @ts-expect-error: this path is not selectable
  devices.live('', { fields: { 'spec.model': 'x' } });
  // @ts-expect-error: the enum of this field has no such value
  devices.list('', { fields: { 'spec.state': 'activ' } });
  // @ts-expect-error: this field is a number
  devices.live('', { fields: { 'spec.radio.band': 'five' } });
  // @ts-expect-error: this kind has no status
  await maps.updateStatus({ name: 'a', namespace: 'b' }, () => {});
  // @ts-expect-error: this kind was defined without a status
  await winnow.objects(Plain, { namespace: 'a' }).updateStatus('a', () => {});
  devices.live().on('add', (device) => {
    // @ts-expect-error: an object of a live set is shared, so it cannot be changed
    device.spec.state = 'retired';
    // @ts-expect-error: nor can its lists
    device.spec.radio?.names?.push('x');
    // @ts-expect-error: nor can its metadata
    device.metadata.labels = {};
  });
  // @ts-expect-error: nor can an object of a snapshot
  for (const device of devices.live().snapshot()) device.spec.model = 'y';
  // @ts-expect-error: there are as many facets as keys
  (await devices.facets(['site'])).facets[1];
  // @ts-expect-error: facets need a key
  await devices.facets([]);
  // @ts-expect-error: the enum of this field has no such value
  await devices.facets(['site'], '', { fields: { 'spec.state': 'gone' } });
  // @ts-expect-error: metadata have no spec
  for await (const object of devices.list('', { shape: 'metadata' })) console.log(object.spec);
  // @ts-expect-error: a row has no spec
  devices.live('', { shape: 'table' }).get('a')?.spec;
  // @ts-expect-error: there is no such shape
  devices.list('', { shape: 'rows' });
  // @ts-expect-error: a review takes either labels or another object
  await devices.review({ name: 'a', labels: {}, after: { metadata: { name: 'a' }, spec: { model: 'x' } } });
  // @ts-expect-error: the object of a review has no such value
  await devices.review({ after: { metadata: { name: 'a' }, spec: { model: 'x', state: 'gone' } } });
  // @ts-expect-error: the selected objects have no such field
  for await (const device of maps.selected('a', '', { of: Device })) console.log(device.spec.modle);
  // @ts-expect-error: a part of a live set takes a parsed selector
  devices.live().where('site=north');
  // @ts-expect-error: a live set has no such event
  devices.live().on('added', () => {});
  // @ts-expect-error: the spec has no such field
  devices.live().on('add', (device) => device.spec.modle);
  // @ts-expect-error: a kind without selectable fields has only its names
  maps.list('', { fields: { 'data.a': 'x' } });
  // @ts-expect-error: a patch cannot remove a required field
  await devices.patch('a', { spec: { model: null } });
  // @ts-expect-error: a patch has no such field
  await devices.patch('a', { spec: { modle: 'x' } });
  // @ts-expect-error: an apply needs a name
  await devices.apply({ metadata: {}, spec: { model: 'x' } });
  // @ts-expect-error: an apply has no such value
  await devices.apply({ metadata: { name: 'a' }, spec: { state: 'gone' } });
  await devices.update('a', (device) => {
    // @ts-expect-error: the value is not in the enum
    device.spec.state = 'gone';
  });
}

const names = { group: 'g', version: 'v1', kind: 'D', plural: 'ds' } as const;
interface Parts {
  model: string;
  deep?: { rate?: number };
  list: string[];
  ports?: { name: string; tags?: string[]; deep: { a: string } }[];
}
const spec = schema<Parts>();

export const kinds = [
  defineKind({ ...names, spec, selectable: ['spec.deep.rate'], columns: { Rate: 'spec.deep.rate' } }),
  defineKind({ ...names, spec, lists: { 'spec.ports': ['name'] }, sets: ['spec.list', 'spec.ports[].tags'] }),
  // @ts-expect-error: the spec has no such list
  defineKind({ ...names, spec, lists: { 'spec.port': ['name'] } }),
  // @ts-expect-error: the items have no such field
  defineKind({ ...names, spec, lists: { 'spec.ports': ['nam'] } }),
  // @ts-expect-error: an object does not identify an item
  defineKind({ ...names, spec, lists: { 'spec.ports': ['deep'] } }),
  // @ts-expect-error: the items of a set are no objects
  defineKind({ ...names, spec, sets: ['spec.ports'] }),
  // @ts-expect-error: the spec has no such path
  defineKind({ ...names, spec, selectable: ['spec.modle'] }),
  // @ts-expect-error: a list is not selectable
  defineKind({ ...names, spec, selectable: ['spec.list'] }),
  // @ts-expect-error: an object is not selectable
  defineKind({ ...names, spec, selectable: ['spec.deep'] }),
  // @ts-expect-error: a column has no such path
  defineKind({ ...names, spec, columns: { Model: 'spec.modle' } }),
  // @ts-expect-error: the kind has no status
  defineKind({ ...names, spec, columns: { Seen: 'status.seen' } }),
  // @ts-expect-error: the name of the kind is missing
  defineKind({ group: 'g', version: 'v1', plural: 'ds', spec }),
];
