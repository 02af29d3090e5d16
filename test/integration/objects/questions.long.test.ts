import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConflictError, type Kind, NotFoundError, resource } from '../../../lib/client/objects/index.ts';
import { parseSelector } from '../../../lib/selectors/index.ts';
import { eventually } from '../../support/eventually.ts';
import { Device } from '../../unit/client/objects/fleet.ts';
import { type FleetService, startFleetService } from './fleet-service.ts';

interface PodBody {
  spec: { containers: { name: string; image: string }[] };
  status?: { phase?: string };
}
const Pod = resource<Kind<PodBody, Pick<PodBody, 'spec'>, 'status.phase'>>('v1', 'pods', { kind: 'Pod' });
const Service = resource<Kind<{ spec: { selector?: Record<string, string>; ports?: { port: number }[] } }>>(
  'v1',
  'services',
);

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterEach(() => {
  fleet.proxy.tamper = () => undefined;
});

afterAll(() => fleet.stop());

const failure = (request: Promise<unknown>) => request.then(() => undefined).catch((error) => error);
const device = { metadata: { name: 'cam' }, spec: { model: 'x2' } };
const direct = () => fleet.direct.objects(Device, { namespace: 'default' });

/** The collection of a kind in the namespace of one test. */
async function namespaceOf(namespace: string) {
  await fleet.service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const { direct, proxied } = fleet;
  return {
    devices: proxied.objects(Device, { namespace }),
    pods: direct.objects(Pod, { namespace }),
    services: direct.objects(Service, { namespace }),
  };
}

/** Devices with labels, by name. */
const SITES = { 'cam-1': 'north', 'cam-2': 'north', 'cam-3': 'south' };
async function createSites(devices: Awaited<ReturnType<typeof namespaceOf>>['devices']): Promise<void> {
  for (const [name, site] of Object.entries(SITES)) {
    await devices.create({ metadata: { name, labels: { site, tier: 'web' } }, spec: { model: 'x2' } });
  }
  await devices.relabel('cam-3', { tier: null });
}

describe('The shape of a list and of a live set', () => {
  it('Metadata only are the same objects without their bodies, in all pages', async () => {
    const { devices } = await namespaceOf('metadata');
    await createSites(devices);
    const whole = await devices.list('site=north').toArray();
    const listed = await devices.list('site=north', { shape: 'metadata', pageSize: 1 }).toArray();
    expect(listed.map(({ metadata }) => metadata)).toEqual(whole.map(({ metadata }) => metadata));
    expect(listed[0]).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: whole[0]?.metadata,
    });
  });

  it('A table has the columns that kubectl prints, and a row for each object', async () => {
    const { devices } = await namespaceOf('tables');
    await createSites(devices);
    const { items, columns } = await devices.list({ site: ['north'] }, { shape: 'table', pageSize: 1 }).all();
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Name string',
      'Model string',
      'State string',
    ]);
    expect(items.map(({ cells }) => cells)).toEqual([
      ['cam-1', 'x2', 'active'],
      ['cam-2', 'x2', 'active'],
    ]);
    expect(items[0]?.metadata).toEqual((await devices.get('cam-1')).metadata);
  });

  it.each(['metadata', 'table'] as const)('A live set of the shape %s follows changes', async (shape) => {
    const { devices } = await namespaceOf(`live-${shape}`);
    await createSites(devices);
    const live = devices.live('site=north', { shape });
    try {
      const models: unknown[] = [];
      live.on('update', (object) => models.push((object as { cells?: unknown[] }).cells?.[1]));
      await live.ready;
      await devices.patch('cam-1', { spec: { model: 'x3' } });
      await devices.relabel('cam-2', { site: 'south' });
      await devices.create({ metadata: { name: 'cam-4', labels: { site: 'north' } }, spec: { model: 'x4' } });
      const names = () => live.snapshot().map(({ metadata }) => metadata.name);
      await eventually('the set has the changes', () => names().join() === 'cam-1,cam-4');
      const listed = await devices.list('site=north', { shape }).toArray();
      expect(live.snapshot()).toEqual(listed);
      expect(models).toEqual([shape === 'table' ? 'x3' : undefined]);
      expect(live.columns.map(({ name }) => name)).toEqual(
        shape === 'table' ? ['Name', 'Model', 'State'] : [],
      );
    } finally {
      await live.stop();
    }
  });
});

describe('A part of a live set', () => {
  it('A part has the objects that a list by both selectors has', async () => {
    const { devices } = await namespaceOf('parts');
    await createSites(devices);
    const live = devices.live('site');
    const part = live.where(parseSelector('site in (north),tier!=db'));
    try {
      await part.ready;
      await devices.relabel('cam-1', { tier: 'db' });
      await devices.relabel('cam-3', { site: 'north' });
      const watches = fleet.proxy.requests.filter((path) => /parts.*watch=true/.test(path));
      await eventually('the part has the changes', () => part.get('cam-3') !== undefined);
      expect(part.snapshot()).toEqual(await devices.list('site,site in (north),tier!=db').toArray());
      expect(watches).toHaveLength(1);
    } finally {
      await live.stop();
    }
  });
});

describe('Questions about a collection', () => {
  it('Facets count the selected objects by the values of labels', async () => {
    const { devices } = await namespaceOf('facets');
    await createSites(devices);
    const counted = await devices.facets(['site', 'tier']);
    const [site, tier] = counted.facets;
    expect([counted.kind, counted.count, counted.metadata.resourceVersion]).toEqual([
      'Facets',
      3,
      (await devices.list().all()).resourceVersion,
    ]);
    expect(site.values).toEqual([
      { value: 'north', count: 2 },
      { value: 'south', count: 1 },
    ]);
    expect([tier.key, tier.distinct, tier.absent]).toEqual(['tier', 1, 1]);
    const none = await devices.facets(['tier'], { site: ['south'] }, { fields: { 'spec.state': 'active' } });
    expect(none.facets[0]).toEqual({ key: 'tier', distinct: 0, absent: 1, values: [] });
    expect(await failure(devices.facets(['site', 'site']))).toBeInstanceOf(TypeError);
  });

  it('Selected lists the objects that an object selects, and selectedBy the selectors of an object', async () => {
    const { pods, services } = await namespaceOf('selects');
    const spec = { containers: [{ name: 'a', image: 'b' }] };
    for (const name of ['web-1', 'web-2', 'db-1']) {
      await pods.create({ metadata: { name, labels: { app: name.slice(0, -2) } }, spec });
    }
    const { metadata } = await services.create({
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    const names: string[] = [];
    for await (const pod of services.selected('web', '', { of: Pod, pageSize: 1 })) {
      names.push(`${pod.metadata.name} ${pod.spec.containers[0]?.image}`);
    }
    expect(names).toEqual(['web-1 b', 'web-2 b']);
    expect(await services.selected(metadata, 'app=db').toArray()).toEqual([]);
    const [first] = await services.selected('web', '', { fields: { 'metadata.name': 'web-2' } }).toArray();
    expect(first).toEqual(await pods.get('web-2'));
    const other = services.selected('web', '', { of: Device });
    await expect(other.toArray()).rejects.toThrow('the selected objects are of v1 Pod, not devices');

    expect(await pods.selectedBy('web-1')).toEqual([
      {
        apiVersion: 'winnow.dev/v1',
        kind: 'Selection',
        metadata: { name: 'web', namespace: 'selects', uid: metadata.uid },
        carrier: { apiVersion: 'v1', kind: 'Service' },
        path: 'spec.selector',
        selector: 'app=web',
      },
    ]);
    expect(await pods.selectedBy({ name: 'db-1' })).toEqual([]);
    expect(await failure(pods.selectedBy('none'))).toBeInstanceOf(NotFoundError);
  });

  it('A review tells which selectors begin and stop to match, and changes nothing', async () => {
    const { pods, services } = await namespaceOf('reviews');
    const spec = { containers: [{ name: 'a', image: 'b' }] };
    const pod = await pods.create({ metadata: { name: 'a', labels: { app: 'web' } }, spec });
    for (const app of ['web', 'db']) {
      await services.create({ metadata: { name: app }, spec: { selector: { app }, ports: [{ port: 80 }] } });
    }
    const names = (all: Awaited<ReturnType<typeof pods.selectedBy>> = []) =>
      all.map(({ metadata }) => metadata.name);
    const relabelled = await pods.review({ name: 'a', labels: { app: 'db' } });
    expect([relabelled.begins, relabelled.stops, relabelled.selectedBy].map(names)).toEqual([
      ['db'],
      ['web'],
      ['db'],
    ]);
    const created = await pods.review({ after: { metadata: { name: 'b', labels: { app: 'web' } }, spec } });
    expect([names(created.selectedBy), created.begins, created.overlaps]).toEqual([['web'], undefined, []]);
    expect(names((await pods.review({ before: pod, labels: {} })).stops)).toEqual(['web']);
    expect(await pods.get('a')).toEqual(pod);
  });

  it('A review whose answer is lost is repeated, because it changes nothing', async () => {
    await namespaceOf('lost-reviews');
    const devices = fleet.proxied.objects(Device, { namespace: 'lost-reviews' });
    const lost = ['lost' as const];
    fleet.proxy.tamper = (method) => (method === 'POST' ? lost.pop() : undefined);
    expect((await devices.review({ labels: { site: 'north' } })).selectedBy).toEqual([]);
    expect(lost).toEqual([]);
  });
});

describe('A write to the metadata of an object that is gone', () => {
  it('A write to the metadata of a deleted object does not change its successor', async () => {
    const { metadata: old } = await direct().create(device);
    await direct().delete(old);
    const missing = await failure(direct().update(old, () => {}));
    expect(missing).toBeInstanceOf(NotFoundError);
    const successor = await direct().create(device);
    let calls = 0;
    const writes = [
      direct().update(old, () => {
        calls += 1;
      }),
      direct().updateStatus(old, () => {
        calls += 1;
      }),
      direct().patch(old, { spec: { model: 'x3' } }),
      direct().relabel(old, { site: 'north' }),
      direct().delete(old),
    ];
    for (const write of writes) expect(await failure(write)).toBeInstanceOf(ConflictError);
    expect(calls).toBe(0);
    expect(await direct().get('cam')).toEqual(successor);
    await direct().delete(successor.metadata);
  });

  it('A successor that comes within an update is not changed, whatever the function returns', async () => {
    const { metadata: old } = await direct().create(device);
    const error = await failure(
      direct().update(old, async (object) => {
        await direct().delete(old);
        await direct().create(device);
        const { resourceVersion: _old, ...metadata } = object.metadata;
        return {
          ...object,
          metadata: metadata as typeof object.metadata,
          spec: { model: 'x3', state: 'active' },
        };
      }),
    );
    expect(error).toBeInstanceOf(ConflictError);
    expect((await direct().get('cam')).spec.model).toBe('x2');
    await direct().delete('cam');
  });
});
