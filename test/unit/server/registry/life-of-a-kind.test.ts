import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { type Api, createApi, readingVerbs, writingVerbs } from '../../../../lib/server/index.ts';
import { createWatches, type Store, ThrottledError } from '../../../../lib/store/index.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';

type Json = ReturnType<typeof JSON.parse>;

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = `${DEFINITIONS}/devices.fleet.example`;
const DEVICES = '/apis/fleet.example/v1/namespaces/default/devices';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';

const SPEC = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string' },
    state: { type: 'string', enum: ['active', 'retired'], default: 'active' },
  },
};

function definition(
  more: Json = {},
  { plural = 'devices', kind = 'Device', shortNames = ['dev'] } = {},
): Json {
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    selectableFields: [{ jsonPath: '.spec.state' }],
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: SPEC } } },
  };
  const names = { plural, kind, shortNames };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fleet.example` },
    spec: { group: 'fleet.example', scope: 'Namespaced', names, versions: [version], ...more },
  };
}

function device(name: string, spec: Json, labels: Json = {}): Json {
  return { apiVersion: 'fleet.example/v1', kind: 'Device', metadata: { name, labels }, spec };
}

let memory: MemoryWorld;
let api: Api;

/** An API as in another process, with empty caches. */
function newApi(store = memory.world.newStore()): Api {
  const { world, clock } = memory;
  const outside = { clock, random: world.random, logger: silentLogger };
  const announce = (...hint: Parameters<typeof world.hints.announce>) => world.hints.announce(...hint);
  const watches = createWatches({ ...outside, store });
  return createApi({ ...outside, store, watches, announce, verbs: { ...readingVerbs, ...writingVerbs } });
}

async function ask(
  method: string,
  url: string,
  body?: Json,
  by = api,
): Promise<{ status: number; body: Json; warning: string | undefined }> {
  const { pathname, searchParams } = new URL(url, 'http://winnow');
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const request = {
    method,
    path: pathname,
    query: searchParams,
    headers: { 'content-type': contentType, 'user-agent': 'test' },
    user: ADMIN,
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  };
  const answer = await memory.clock.during(by.handle(request, new AbortController().signal));
  const text =
    answer.body instanceof Uint8Array ? gunzipSync(answer.body).toString() : await whole(answer.body);
  const { status, headers } = answer;
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text, warning: headers.warning };
}

async function whole(body: string | AsyncIterable<string>): Promise<string> {
  if (typeof body === 'string') return body;
  let text = '';
  for await (const part of body) text += part;
  return text;
}

const namesOf = ({ body }: { body: Json }) => body.items.map(({ metadata }: Json) => metadata.name);

beforeEach(async () => {
  memory = await createMemoryWorld();
  api = newApi();
});

describe('A custom kind', () => {
  it('A custom kind is served to every request after its definition was acknowledged, despite earlier requests', async () => {
    const other = newApi();
    expect((await ask('GET', DEVICES, undefined, other)).status).toBe(404);
    const { status, body: sent } = await ask('POST', DEFINITIONS, definition());
    expect([status, sent.status.conditions]).toEqual([201, null]);
    const { body } = await ask('GET', DEFINITION);
    expect(body.status.conditions.map(({ type, status: is }: Json) => [type, is])).toEqual([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]);
    expect((await ask('GET', DEVICES, undefined, other)).body.kind).toBe('DeviceList');
    const created = await ask('POST', DEVICES, device('cam-1', { model: 'x2', junk: 1 }), other);
    expect(created.body.spec).toEqual({ model: 'x2', state: 'active' });
    const refused = await ask('POST', DEVICES, device('cam-2', { model: 'x2', state: 'lost' }));
    expect(refused.body.details.causes).toMatchObject([{ field: 'spec.state' }]);
  });

  it('An object of a custom kind counts its generations, also in a group of Kubernetes projects', async () => {
    const group = 'gateway.networking.k8s.io';
    const annotations = {
      'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api/pull/2538',
    };
    const metadata = { name: `devices.${group}`, annotations };
    const made = await ask('POST', DEFINITIONS, { ...definition({ group }), metadata });
    expect(made.status).toBe(201);
    const path = `/apis/${group}/v1/namespaces/default/devices`;
    const sent = { ...device('cam-1', { model: 'x2' }), apiVersion: `${group}/v1` };
    expect((await ask('POST', path, sent)).body.metadata.generation).toBe(1);
    const changed = await ask('PATCH', `${path}/cam-1`, { spec: { model: 'x3' } });
    expect(changed.body.metadata.generation).toBe(2);
  });

  it('A definition whose names could not be settled reports it, and gets them a minute later', async () => {
    const store = memory.world.newStore();
    let writes = 0;
    const failing: Store = {
      ...store,
      within: () => failing,
      write: async (collection, ...rest) => {
        if (collection === 'apiextensions.k8s.io/customresourcedefinitions') writes += 1;
        if (writes === 2) throw new ThrottledError('the table is busy');
        return store.write(collection, ...rest);
      },
    };
    const { status, body } = await ask('POST', DEFINITIONS, definition(), newApi(failing));
    expect([status, body.message]).toEqual([504, expect.stringContaining('the definition was written')]);
    expect((await ask('GET', DEFINITION)).body.status.conditions).toBeNull();
    expect((await ask('GET', DEVICES)).status).toBe(404);
    await memory.minutes(1);
    expect((await ask('GET', DEVICES)).status).toBe(200);
  });

  it('An object is validated by the current schema, even in a process that cached an older one', async () => {
    const other = newApi();
    await ask('POST', DEFINITIONS, definition());
    await ask('POST', DEVICES, device('cam-1', { model: 'x2' }), other);
    const { body } = await ask('GET', DEFINITION);
    body.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.state.enum.push('lost');
    expect((await ask('PUT', DEFINITION, body)).status).toBe(200);
    const taken = await ask('POST', DEVICES, device('cam-2', { model: 'x2', state: 'lost' }), other);
    expect(taken.status).toBe(201);
  });

  it('Objects are selected by labels and by fields, and subscribed to', async () => {
    const { world, pump } = memory;
    await ask('POST', DEFINITIONS, definition());
    const resource = { group: 'fleet.example', resource: 'devices' };
    const subscription = {
      apiVersion: 'winnow.dev/v1',
      kind: 'Subscription',
      metadata: { name: 'north' },
      spec: { resource, labelSelector: 'site=north', fieldSelector: 'spec.state=active' },
    };
    expect((await ask('POST', SUBSCRIPTIONS, subscription)).status).toBe(201);
    await pump();
    await ask('POST', DEVICES, device('cam-1', { model: 'x2' }, { site: 'north' }));
    await ask('POST', DEVICES, device('cam-2', { model: 'x2' }, { site: 'south' }));
    await ask('PATCH', `${DEVICES}/cam-1`, { spec: { state: 'retired' } });
    await pump();
    expect(namesOf(await ask('GET', `${DEVICES}?labelSelector=site=south`))).toEqual(['cam-2']);
    expect(namesOf(await ask('GET', `${DEVICES}?fieldSelector=spec.state=retired`))).toEqual(['cam-1']);
    const queueUrl = (await ask('GET', `${SUBSCRIPTIONS}/north`)).body.status.queueUrl;
    const messages = await world.queues.drain(queueUrl);
    expect(
      messages.map(({ body }) => JSON.parse(body)).map(({ type, object }) => [type, object.kind]),
    ).toEqual([
      ['ADDED', 'Device'],
      ['DELETED', 'Device'],
    ]);
    expect(world.errors).toEqual([]);
  });

  it('Discovery lists the most stable version of a group first, whichever kind has it', async () => {
    await ask('POST', DEFINITIONS, definition());
    const gauges = definition({}, { plural: 'gauges', kind: 'Gauge', shortNames: [] });
    const [version] = gauges.spec.versions;
    gauges.spec.versions = ['v1beta1', 'v2'].map((name) => ({ ...version, name, storage: name === 'v2' }));
    await ask('POST', DEFINITIONS, gauges);
    const { body } = await ask('GET', '/apis/fleet.example');
    expect(body.versions.map((one: Json) => one.version)).toEqual(['v2', 'v1', 'v1beta1']);
    expect(body.preferredVersion.version).toBe('v2');
  });

  it('A missing kind cannot be subscribed to', async () => {
    const spec = { resource: { group: 'fleet.example', resource: 'devices' } };
    const subscription = { apiVersion: 'winnow.dev/v1', kind: 'Subscription', metadata: { name: 'x' }, spec };
    const { status, body } = await ask('POST', SUBSCRIPTIONS, subscription);
    expect([status, body.details.causes[0].field]).toEqual([422, 'spec.resource']);
  });

  it('A kind does not get a name that another kind has, and gets it when it is free', async () => {
    await ask('POST', DEFINITIONS, definition());
    const late = definition({}, { plural: 'machines', kind: 'Machine', shortNames: ['dev'] });
    await ask('POST', DEFINITIONS, late);
    const { body } = await ask('GET', `${DEFINITIONS}/machines.fleet.example`);
    expect(body.status.conditions[0]).toMatchObject({ type: 'NamesAccepted', status: 'False' });
    expect((await ask('GET', '/apis/fleet.example/v1/machines')).status).toBe(404);
    await ask('DELETE', DEFINITION);
    await memory.pump();
    const { body: settled } = await ask('GET', `${DEFINITIONS}/machines.fleet.example`);
    expect(settled.status.acceptedNames.shortNames).toEqual(['dev']);
    expect((await ask('GET', '/apis/fleet.example/v1/machines')).status).toBe(200);
  });
});

describe('A definition that is deleted', () => {
  const page = `${DEVICES}?limit=1`;

  async function filled(): Promise<string> {
    await ask('POST', DEFINITIONS, definition());
    await ask('POST', DEVICES, device('cam-1', { model: 'x2' }, { site: 'north' }));
    await ask('POST', DEVICES, device('cam-2', { model: 'x2' }, { site: 'north' }));
    return (await ask('GET', page)).body.metadata.continue;
  }

  it('The definition is deleted with all its objects, and each deletion is delivered', async () => {
    const { world, pump, minutes } = memory;
    const token = await filled();
    const resource = { group: 'fleet.example', resource: 'devices' };
    const spec = { resource, labelSelector: 'site=north' };
    const subscription = {
      apiVersion: 'winnow.dev/v1',
      kind: 'Subscription',
      metadata: { name: 'all' },
      spec,
    };
    await ask('POST', SUBSCRIPTIONS, subscription);
    await pump();
    const queueUrl = (await ask('GET', `${SUBSCRIPTIONS}/all`)).body.status.queueUrl;
    const { body: marked } = await ask('DELETE', DEFINITION);
    expect(marked.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect((await ask('POST', DEVICES, device('late', { model: 'x2' }))).status).toBe(405);
    await pump();
    // Here dispatch does not run while reconcile waits for it.
    await minutes(1);
    expect((await ask('GET', DEFINITION)).status).toBe(404);
    expect((await ask('GET', DEVICES)).status).toBe(404);
    const told = (await world.queues.drain(queueUrl)).map(({ body }) => JSON.parse(body));
    expect(told.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['DELETED', 'cam-1'],
      ['DELETED', 'cam-2'],
    ]);

    // A recreated definition is another kind.
    await ask('POST', DEFINITIONS, definition());
    expect(namesOf(await ask('GET', DEVICES))).toEqual([]);
    expect((await ask('GET', `${page}&continue=${token}`)).status).toBe(410);
    expect((await ask('GET', `${DEVICES}?watch=1&resourceVersion=2&timeoutSeconds=1`)).status).toBe(410);
    expect(world.errors).toEqual([]);
  });

  it('A watch receives all deletions, and ends soon after the definition is deleted', async () => {
    const { clock, pump, minutes } = memory;
    await filled();
    const { resourceVersion } = (await ask('GET', DEVICES)).body.metadata;
    const query = new URLSearchParams({ watch: '1', resourceVersion, timeoutSeconds: '280' });
    const request = { method: 'GET', path: DEVICES, query, headers: {}, user: ADMIN };
    const { body } = await clock.during(api.handle(request, new AbortController().signal));
    let ended = 0;
    const told = whole(body as AsyncIterable<string>).finally(() => {
      ended = clock.now();
    });
    await ask('DELETE', DEFINITION);
    await pump();
    await minutes(1);
    const began = clock.now();
    expect((await ask('GET', DEFINITION)).status).toBe(404);
    const events = (await clock.during(told))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['DELETED', 'cam-1'],
      ['DELETED', 'cam-2'],
    ]);
    expect(ended - began).toBeLessThan(TIMING.watchedKind * 2);
  });

  it('A changed definition ends its watches soon, because objects may look different', async () => {
    const { clock } = memory;
    await filled();
    const query = new URLSearchParams({ watch: '1', timeoutSeconds: '280' });
    const request = { method: 'GET', path: DEVICES, query, headers: {}, user: ADMIN };
    const { body } = await clock.during(api.handle(request, new AbortController().signal));
    const told = whole(body as AsyncIterable<string>);
    await ask('PATCH', DEFINITION, { metadata: { labels: { only: 'metadata' } } });
    const changed = clock.now();
    await clock.during(clock.sleep(TIMING.watchedKind * 2));
    await ask('PATCH', `${DEVICES}/cam-1`, { metadata: { labels: { site: 'south' } } });
    // An event that the watch reads after the change of the kind is for the next watch.
    await clock.during(clock.sleep(TIMING.watchedKind / 2));
    await ask('PATCH', DEFINITION, { spec: { names: { shortNames: ['d'] } } });
    const events = (await clock.during(told))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(events).toEqual(['ADDED', 'ADDED', 'MODIFIED']);
    expect(clock.now() - changed).toBeLessThan(TIMING.watchedKind * 4);
  });

  it('The definition waits for objects that finalizers hold', async () => {
    const { pump, minutes } = memory;
    await filled();
    await ask('PATCH', `${DEVICES}/cam-1`, { metadata: { finalizers: ['example.com/mine'] } });
    await ask('DELETE', DEFINITION);
    await pump();
    const { body: held } = await ask('GET', DEFINITION);
    expect(held.status.conditions.at(-1)).toMatchObject({
      type: 'Terminating',
      reason: 'InstanceDeletionInProgress',
    });
    await ask('PATCH', `${DEVICES}/cam-1`, { metadata: { finalizers: null } });
    await minutes(2);
    expect((await ask('GET', DEFINITION)).status).toBe(404);
  });

  it('A kind that is defined again has no history of the former one', async () => {
    const { world, clock } = memory;
    const collection = 'fleet.example/devices';
    const back = async () => {
      const request = { entries: 100, bytes: Number.POSITIVE_INFINITY };
      const { changes, end } = await clock.during(world.store.changesBack(collection, request));
      return [changes.map(({ type }) => type).join(), end];
    };
    await filled();
    expect(await back()).toEqual([expect.stringMatching(/^(ADDED,?)+$/), 'Reached']);
    await ask('DELETE', DEFINITION);
    await memory.minutes(2);
    // A dry run defines nothing, so the history of the former kind stays.
    await ask('POST', `${DEFINITIONS}?dryRun=All`, definition());
    expect((await world.store.watermarks(collection)).floor).toBe(1);
    await ask('POST', DEFINITIONS, definition());
    expect(await back()).toEqual(['', 'Redefined']);
    await ask('POST', DEVICES, device('cam-1', { model: 'new' }));
    expect(await back()).toEqual(['ADDED', 'Redefined']);
    // A change of the definition leaves the history of its objects.
    await ask('PATCH', DEFINITION, { spec: { names: { shortNames: ['d'] } } });
    await ask('POST', DEFINITIONS, definition());
    expect(await back()).toEqual(['ADDED', 'Redefined']);
  });

  it('The schedule completes a deletion whose message was lost, and forgets the kind at the end', async () => {
    const { world, queues, minutes } = memory;
    await filled();
    await ask('DELETE', DEFINITION);
    await queues.drain(world.eventQueueUrl);
    await minutes(2);
    expect((await ask('GET', DEFINITION)).status).toBe(404);
    const declared = () => world.table.query({ partition: 'collections#declared', from: '!', to: '~' });
    expect((await declared()).rows).toHaveLength(1);
    await minutes(61);
    expect((await declared()).rows).toEqual([]);
  });

  it('A kind with a conversion webhook is served in its storage version only', async () => {
    const [version] = definition().spec.versions;
    const versions = [version, { ...version, name: 'v2', storage: false }];
    const clientConfig = { service: { namespace: 'default', name: 'converter' } };
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const made = await ask('POST', DEFINITIONS, definition({ versions, conversion }));
    expect([made.status, made.warning]).toEqual([
      201,
      expect.stringContaining('calls no conversion webhooks'),
    ]);
    expect(made.body.spec.conversion.webhook.clientConfig.service.port).toBe(443);
    const other = DEVICES.replace('v1', 'v2');
    expect((await ask('GET', other)).body.items).toEqual([]);
    const failed = { status: 500, body: { message: expect.stringContaining('failed: Winnow calls no') } };
    const sent = { ...device('cam-2', { model: 'x2' }), apiVersion: 'fleet.example/v2' };
    expect(await ask('POST', other, sent)).toMatchObject(failed);
    expect((await ask('POST', DEVICES, device('cam-1', { model: 'x2' }))).status).toBe(201);
    expect((await ask('GET', DEVICES)).body.items).toHaveLength(1);
    const { body } = await ask('GET', `${other}/cam-1`);
    expect(body.message).toBe(
      'conversion webhook for fleet.example/v1, Kind=Device failed: Winnow calls no conversion webhooks; use the storage version fleet.example/v1',
    );
    expect(await ask('GET', other)).toMatchObject(failed);
    // An object stays in the version in which it was stored.
    const [first, second] = versions;
    const moved = [
      { ...first, storage: false },
      { ...second, storage: true },
    ];
    expect((await ask('PATCH', DEFINITION, { spec: { versions: moved } })).status).toBe(200);
    expect((await ask('GET', `${DEVICES}/cam-1`)).status).toBe(200);
    expect(await ask('GET', other)).toMatchObject(failed);
  });
});
