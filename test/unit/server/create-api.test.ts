import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { loadComponents } from '../../../lib/kubernetes/openapi/index.ts';
import { MEMORY, silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { type ApiOptions, createApi, readingVerbs, writingVerbs } from '../../../lib/server/index.ts';
import type { WatchEvent, WatchRequest } from '../../../lib/store/index.ts';
import { ContentionError, ThrottledError } from '../../../lib/store/index.ts';
import { podSpec } from '../../support/pod-spec.ts';
import { ADMIN } from '../../support/service/admin.ts';
import { FakeStore } from './fake-store.ts';
import { clock, countingRandom, storedPod } from './fixtures.ts';

const PODS = '/api/v1/namespaces/default/pods';

let store: FakeStore;
let announced: string[];
let watched: WatchRequest[];
let events: () => AsyncGenerator<WatchEvent>;

beforeEach(() => {
  store = new FakeStore();
  announced = [];
  watched = [];
  events = async function* () {};
});

interface Sent {
  readonly body?: JsonObject | string;
  readonly headers?: Record<string, string>;
  readonly options?: Partial<ApiOptions>;
}

async function send(method: string, target: string, { body, headers = {}, options = {} }: Sent = {}) {
  const [path = '', query = ''] = target.split('?');
  const api = createApi({
    verbs: { ...readingVerbs, ...writingVerbs },
    openApi: loadComponents,
    store,
    watches: {
      open: async (_collection, request) => {
        watched.push(request);
        return events();
      },
    },
    clock,
    random: countingRandom(),
    logger: silentLogger,
    announce: async (collection, rv) => {
      announced.push(`${collection}@${rv}`);
    },
    ...options,
  });
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const request = { method, path, query: new URLSearchParams(query), headers, user: ADMIN };
  return api.handle(
    text === undefined ? request : { ...request, body: Buffer.from(text) },
    new AbortController().signal,
  );
}

async function json(method: string, target: string, sent: Sent = {}) {
  const { status, headers, body } = await send(method, target, sent);
  return { status, headers, body: JSON.parse(String(body)) };
}

async function lines(target: string, sent: Sent = {}): Promise<string[]> {
  const { body } = await send('GET', target, sent);
  const all: string[] = [];
  for await (const line of typeof body === 'string' || body instanceof Uint8Array ? [] : body) all.push(line);
  return all;
}

describe('A create request', () => {
  const pod = { metadata: { name: 'x' }, spec: podSpec() };

  it('A create makes the default namespace if it is absent, and announces both', async () => {
    expect((await json('POST', PODS, { body: pod })).status).toBe(201);
    expect(announced).toEqual(['core/namespaces@2', 'core/pods@3']);
  });

  it('A create in a dry run does nothing', async () => {
    const { status, body } = await json('POST', `${PODS}?dryRun=All`, { body: pod });
    expect(status).toBe(201);
    expect(body.metadata).toMatchObject({ name: 'x', uid: 'uid-1' });
    expect(store.objects.size).toBe(0);
    expect(announced).toEqual([]);
  });

  it('A create refuses a resourceVersion, except in a dry run', async () => {
    const body = { ...pod, metadata: { name: 'x', resourceVersion: '7' } };
    const refused = await json('POST', PODS, { body });
    expect(refused.body.message).toBe('resourceVersion should not be set on objects to be created');
    const { status, body: made } = await json('POST', `${PODS}?dryRun=All`, { body });
    expect([status, made.metadata.resourceVersion]).toEqual([201, '7']);
  });

  it('A create is refused in an absent namespace', async () => {
    const { status, body } = await json('POST', '/api/v1/namespaces/nope/pods', { body: pod });
    expect(status).toBe(404);
    expect(body.message).toBe('namespaces "nope" not found');
    expect(store.objects.size).toBe(0);
  });

  it('A create is refused in a terminating namespace', async () => {
    await json('POST', '/api/v1/namespaces', { body: { metadata: { name: 'going' } } });
    expect((await json('DELETE', '/api/v1/namespaces/going')).body.status.phase).toBe('Terminating');
    const { status, body } = await json('POST', '/api/v1/namespaces/going/pods', { body: pod });
    expect(status).toBe(403);
    expect(body.message).toBe(
      'pods "x" is forbidden: unable to create new content in namespace going because it is being terminated',
    );
    expect(body.details.causes[0].reason).toBe('NamespaceTerminating');
  });

  it('A create with the name of a terminating object reports that', async () => {
    const held = { ...pod, metadata: { name: 'x', finalizers: ['a.io/b'] } };
    await json('POST', PODS, { body: held });
    expect((await json('POST', PODS, { body: pod })).body.message).toBe('pods "x" already exists');
    await json('DELETE', `${PODS}/x`);
    expect((await json('POST', PODS, { body: pod })).body.message).toBe(
      'object is being deleted: pods "x" already exists',
    );
  });

  it('A create stores a duplicate owner once, with a warning', async () => {
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
    const metadata = { name: 'x', ownerReferences: [owner, { ...owner, uid: 'v' }, owner] };
    const { headers, body } = await json('POST', PODS, { body: { ...pod, metadata } });
    expect(body.metadata.ownerReferences).toEqual([owner, { ...owner, uid: 'v' }]);
    expect(headers.warning).toContain('duplicate UID(s) observed: u');
  });

  it('A create tries another generated name if the first is taken', async () => {
    for (const name of ['web-xxxx1', 'web-xxxx2']) {
      await json('POST', PODS, { body: { metadata: { name }, spec: podSpec() } });
    }
    const { status, body } = await json('POST', PODS, {
      body: { metadata: { generateName: 'web-' }, spec: podSpec() },
    });
    expect(status).toBe(201);
    expect(body.metadata.name).toBe('web-xxxx3');
  });

  it('A create gives up if every generated name is taken', async () => {
    const random = { ...countingRandom(), suffix: () => 'xxxxx' };
    await json('POST', PODS, { body: { metadata: { name: 'web-xxxxx' }, spec: podSpec() } });
    const sent = { body: { metadata: { generateName: 'web-' }, spec: podSpec() }, options: { random } };
    const { status, headers, body } = await json('POST', PODS, sent);
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: 'AlreadyExists' });
    expect(headers['retry-after']).toBe('1');
  });

  it('A create in another media type is answered with 415 and the supported types', async () => {
    const { status, body } = await json('POST', PODS, {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect({ status, reason: body.reason }).toEqual({ status: 415, reason: 'UnsupportedMediaType' });
    expect(body.message).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  });

  it('A create may be YAML', async () => {
    const headers = { 'content-type': 'application/yaml; charset=utf-8' };
    const yaml = `metadata:\n  name: x\n  labels: {a: "1"}\nspec: ${JSON.stringify(podSpec())}\n`;
    const { status, body } = await json('POST', PODS, { body: yaml, headers });
    expect({ status, labels: body.metadata.labels }).toEqual({ status: 201, labels: { a: '1' } });
  });

  it.each(['', '{"metadata"', '\u0000'])(
    'A create of %j is answered with 400 and the error of the parser',
    async (text) => {
      const { status, body } = await json('POST', PODS, { body: text });
      expect(status).toBe(400);
      expect(body.message).toContain('json parse error: ');
    },
  );

  it('A create with a resourceVersion is answered with 400', async () => {
    const body = { metadata: { name: 'x', resourceVersion: '5' }, spec: podSpec() };
    expect((await json('POST', PODS, { body })).body.message).toBe(
      'resourceVersion should not be set on objects to be created',
    );
  });

  it('A create warns of an unqualified finalizer on Winnow’s own types', async () => {
    const body = {
      metadata: { name: 'x', finalizers: ['mine'] },
      spec: { resource: { resource: 'pods' }, selector: {} },
    };
    const { status, headers } = await json('POST', '/apis/winnow.dev/v1/namespaces/default/subscriptions', {
      body,
    });
    expect(status).toBe(201);
    expect(headers.warning).toMatch(/^299 - "metadata\.finalizers: \\"mine\\": prefer/);
  });

  it('A create writes nothing for a client that accepts no supported media type', async () => {
    const { status } = await json('POST', PODS, { body: pod, headers: { accept: 'text/html' } });
    expect(status).toBe(406);
    expect(store.objects.size).toBe(0);
  });
});

describe('An access review', () => {
  const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

  it('An access review is answered, and not stored', async () => {
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    const { status, body } = await json('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, {
      body: { spec },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        kind: 'SelfSubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: { creationTimestamp: null, managedFields: [expect.anything()] },
        spec,
        status: { allowed: true },
      },
    });
    expect(announced).toEqual([]);
  });

  it.each([
    ['selfsubjectaccessreviews', {}, 'spec.resourceAttributes'],
    ['subjectaccessreviews', { nonResourceAttributes: { path: '/' } }, 'spec.user'],
    [
      'namespaces/a/localsubjectaccessreviews',
      { user: 'x', resourceAttributes: { namespace: 'b' } },
      'spec.resourceAttributes.namespace',
    ],
  ])('An access review of %s is refused if it contains %j', async (path, spec, field) => {
    const { status, body } = await json('POST', `${AUTHORIZATION}/${path}`, { body: { spec } });
    expect(status).toBe(422);
    expect(body.details).toMatchObject({ group: 'authorization.k8s.io', causes: [{ field }] });
    expect(body.details).not.toHaveProperty('kind');
  });

  it('An access review is no collection', async () => {
    expect((await json('GET', `${AUTHORIZATION}/subjectaccessreviews`)).status).toBe(405);
  });

  it('A SelfSubjectReview names the user of the login, which only the front door can set', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body } = await json('POST', path, { body: {}, headers: { principal: 'me' } });
    expect(body.status.userInfo).toEqual({
      ...ADMIN,
    });
  });
});

describe('A failure of a request', () => {
  it('A transient failure of the store is answered with a request to retry', async () => {
    store.get = () => Promise.reject(new ContentionError('busy'));
    const { status, headers } = await json('GET', `${PODS}/x`);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('1');
  });

  it('An unexpected failure is logged, and the answer reveals nothing', async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, error: (message: string) => logged.push(message) };
    store.get = () => Promise.reject(new Error('secret'));
    const { status, body } = await json('GET', `${PODS}/x`, { options: { logger } });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(logged).toEqual(['request failed']);
  });
});

describe('A delete request', () => {
  beforeEach(async () => {
    await json('POST', PODS, { body: { metadata: { name: 'x' }, spec: podSpec() } });
    announced = [];
  });

  it.each<[string, string, JsonObject | string | undefined]>([
    ['without a body', `${PODS}/x`, undefined],
    ['with an empty body', `${PODS}/x`, ''],
    ['with options', `${PODS}/x`, { propagationPolicy: 'Background', gracePeriodSeconds: 0 }],
    ['with options in the query', `${PODS}/x?propagationPolicy=Background&gracePeriodSeconds=0`, undefined],
  ])('%s answers what was deleted', async (_what, target, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await json('DELETE', target, body === undefined ? { headers } : { body, headers });
    const metadata = { name: 'x', uid: 'uid-1', resourceVersion: '4' };
    expect(answer.body).toMatchObject({ kind: 'Pod', metadata, spec: podSpec() });
    expect(announced).toEqual(['core/pods@4']);
  });

  it('A delete answers a Status for the types that Kubernetes does', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    await json('POST', path, { body: { metadata: { name: 'x' } } });
    expect((await json('DELETE', `${path}/x`)).body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'x', kind: 'configmaps', uid: expect.any(String) },
    });
  });

  it.each([
    ['Foreground', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
    ['Orphan', { propagationPolicy: 'Orphan' }, ['orphan']],
    ['orphanDependents', { orphanDependents: true }, ['orphan']],
  ])(
    'A delete in the manner of %s marks the object, which waits for its dependents',
    async (_what, body, finalizers) => {
      const path = '/api/v1/namespaces/default/configmaps';
      await json('POST', path, { body: { metadata: { name: 'x' } } });
      announced.length = 0;
      const metadata = { finalizers, deletionTimestamp: expect.any(String) };
      const marked = await json('DELETE', `${path}/x`, { body });
      expect(marked.body).toMatchObject({ kind: 'ConfigMap', metadata });
      expect(announced).toEqual(['core/configmaps@5']);
      expect((await json('DELETE', `${path}/x`)).body).toMatchObject({ metadata });
      expect(announced).toEqual(['core/configmaps@5']);
      const now = await json('DELETE', `${path}/x?propagationPolicy=Background`);
      expect(now.body).toMatchObject({ kind: 'Status', status: 'Success' });
      expect((await json('GET', `${path}/x`)).status).toBe(404);
    },
  );

  it.each<[string, string, JsonObject | undefined, number]>([
    ['dryRun in the body', '', { dryRun: ['All'] }, 200],
    ['dryRun in the query', '?dryRun=All', undefined, 200],
    ['another dryRun', '?dryRun=Some', undefined, 422],
    ['an unknown policy', '', { propagationPolicy: 'Slowly' }, 422],
    ['an empty dryRun', '?dryRun=', undefined, 422],
    ['a grace period that is no number', '?gracePeriodSeconds=x', undefined, 400],
    ['another uid', '', { preconditions: { uid: 'other' } }, 409],
    ['another resourceVersion', '', { preconditions: { resourceVersion: '2' } }, 409],
    ['a body of another kind', '', { kind: 'Pod' }, 400],
  ])('with %s deletes nothing', async (_what, query, body, code) => {
    expect((await json('DELETE', `${PODS}/x${query}`, body === undefined ? {} : { body })).status).toBe(code);
    expect((await json('GET', `${PODS}/x`)).status).toBe(200);
    expect(announced).toEqual([]);
  });

  it('A delete of the default namespace is forbidden', async () => {
    const { status, body } = await json('DELETE', '/api/v1/namespaces/default');
    expect(status).toBe(403);
    expect(body.message).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
  });

  it('A delete marks an object with a finalizer once', async () => {
    await json('PATCH', `${PODS}/x`, {
      body: { metadata: { finalizers: ['a.io/b'] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const first = await json('DELETE', `${PODS}/x`);
    expect(first.body.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    const second = await json('DELETE', `${PODS}/x`);
    expect(second.body).toEqual(first.body);
  });

  it('A delete of a collection that fails reports how many objects it deleted', async () => {
    const items = ['a', 'b', 'c'].map((name) => storedPod({ name }));
    store.list = async () => ({ rv: 9, items });
    let writes = 0;
    store.write = async () => {
      writes += 1;
      if (writes === 2) throw new ThrottledError('the table throttled the request');
      return { kind: 'delete', after: storedPod() };
    };
    const { status, headers, body } = await json('DELETE', PODS);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('1');
    expect(body.message).toMatch(/the table throttled the request; [12] of 3 were deleted$/);
  });

  it('A delete of a collection keeps an object that replaced a selected one', async () => {
    store.list = async () => ({ rv: 9, items: [storedPod({ uid: 'before' })] });
    expect((await json('DELETE', PODS)).body.items).toEqual([]);
    expect((await json('GET', `${PODS}/x`)).status).toBe(200);
  });
});

describe('A PUT of a missing object', () => {
  const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  const role = (metadata: JsonObject = {}) => ({ metadata: { name: 'x', ...metadata } });

  it('A PUT creates the object, of the kinds for which Kubernetes does, and updates it the next time', async () => {
    const made = await json('PUT', `${ROLES}/x`, { body: role({ resourceVersion: '5' }) });
    expect([made.status, made.body.metadata.uid]).toEqual([201, 'uid-1']);
    const { status, body } = await json('PUT', `${ROLES}/x`, { body: role({ labels: { a: 'b' } }) });
    expect([status, body.metadata.uid]).toEqual([200, 'uid-1']);
  });

  it('A PUT in a dry run stores nothing', async () => {
    expect((await json('PUT', `${ROLES}/x?dryRun=All`, { body: role() })).status).toBe(201);
    expect(store.objects.size).toBe(0);
  });

  it.each<[string, JsonObject, number]>([
    [`${PODS}/x`, { metadata: { name: 'x' }, spec: podSpec() }, 404],
    [`${ROLES}/x`, role({ uid: 'u' }), 409],
    ['/apis/rbac.authorization.k8s.io/v1/namespaces/nope/roles/x', role(), 404],
    ['/api/v1/namespaces/default/services/x/status', { metadata: { name: 'x' } }, 404],
  ])('at %s of %j is a %d', async (target, body, status) => {
    expect((await json('PUT', target, { body })).status).toBe(status);
    expect(store.objects.size).toBe(0);
  });

  it('A PUT updates an object that was created meanwhile', async () => {
    const prefetch = store.prefetch.bind(store);
    store.prefetch = async (request) => {
      store.prefetch = prefetch;
      await json('POST', ROLES, { body: role({ labels: { by: 'another' } }) });
      return prefetch(request);
    };
    const { status, body } = await json('PUT', `${ROLES}/x`, { body: role({ labels: { by: 'me' } }) });
    expect([status, body.metadata.labels, body.metadata.uid]).toEqual([200, { by: 'me' }, 'uid-1']);
  });
});

describe('A list request', () => {
  it.each([
    ['limit=2', { limit: 2 }],
    ['resourceVersion=0', {}],
    ['resourceVersion=1&resourceVersionMatch=NotOlderThan', {}],
    ['resourceVersion=5&resourceVersionMatch=Exact', { at: 5 }],
    ['resourceVersion=5&limit=2', { at: 5, limit: 2 }],
    ['resourceVersion=0&limit=2', {}],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=2', {}],
    ['resourceVersion=0&limit=2&explain=header', { limit: 2 }],
  ])('A list with %s reads the right page', async (query, page) => {
    store.rv = 9;
    await json('GET', `${PODS}?${query}`);
    const { at, limit, after } = store.requests[0] ?? {};
    expect(JSON.parse(JSON.stringify({ at, limit, after }))).toEqual(page);
  });

  it('A list at any age fills a page, and returns at most the limit if answers are buffered', async () => {
    const next = { namespace: 'default', name: 'x' };
    store.list = async (_collection, request) => {
      store.requests.push(request);
      return { rv: 5, items: [storedPod()], next };
    };
    const { body } = await json('GET', `${PODS}?resourceVersion=0&limit=500`);
    await json('GET', `${PODS}?resourceVersion=0&limit=500&continue=${body.metadata.continue}`);
    await json('GET', `${PODS}?resourceVersion=0&limit=500`, { options: { maximumBytes: 6_000_000 } });
    expect(store.requests.map(({ limit, mostHeap }) => [limit, mostHeap])).toEqual([
      [undefined, MEMORY.page],
      [500, MEMORY.list],
      [500, MEMORY.list],
    ]);
  });

  it('A list continues where its page ended, at the same resourceVersion', async () => {
    const next = { namespace: 'default', name: 'x' };
    store.list = async (_collection, request) => {
      store.requests.push(request);
      return { rv: 5, items: [], next };
    };
    const { body } = await json('GET', `${PODS}?limit=1`);
    await json('GET', `${PODS}?limit=1&continue=${body.metadata.continue}`);
    expect(store.requests[1]).toMatchObject({ at: 5, after: next, limit: 1 });
  });

  it.each([
    ['continue=nonsense', 400, 'BadRequest'],
    ['continue=nonsense&resourceVersion=5', 400, 'BadRequest'],
    ['limit=many', 400, 'BadRequest'],
    ['labelSelector=a%20b', 400, 'BadRequest'],
    ['fieldSelector=nope%3Dx', 400, 'BadRequest'],
    ['resourceVersion=99', 504, 'Timeout'],
    ['sendInitialEvents=true', 422, 'Invalid'],
  ])('A list with %s is answered with %d', async (query, code, reason) => {
    const { status, body } = await json('GET', `${PODS}?${query}`);
    expect({ status, reason: body.reason }).toEqual({ status: code, reason });
  });

  it('A list that is too long for its transport is answered with 413 and a hint to use limit', async () => {
    await json('POST', PODS, {
      body: { metadata: { name: 'x', annotations: { text: '"'.repeat(500) } }, spec: podSpec() },
    });
    const { status, body } = await json('GET', PODS, { options: { maximumBytes: 1_500 } });
    expect(status).toBe(413);
    expect(body.message).toContain('limit');
  });

  it.each([
    ['gzip, deflate', true],
    ['gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['identity', false],
  ])('A list is compressed for Accept-Encoding %s: %s', async (encoding, compressed) => {
    await json('POST', PODS, {
      body: { metadata: { name: 'x', annotations: { text: 'a'.repeat(2_000) } }, spec: podSpec() },
    });
    const { headers, body } = await send('GET', PODS, { headers: { 'accept-encoding': encoding } });
    expect(headers['content-encoding'] === 'gzip').toBe(compressed);
    const text = body instanceof Uint8Array ? gunzipSync(body).toString() : String(body);
    expect(JSON.parse(text).kind).toBe('PodList');
  });

  it.each([
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'Table'],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'PartialObjectMetadataList'],
    ['application/vnd.kubernetes.protobuf,application/json', 'PodList'],
    ['*/*', 'PodList'],
  ])('A list for Accept %s is a %s', async (accept, kind) => {
    expect((await json('GET', PODS, { headers: { accept } })).body.kind).toBe(kind);
  });

  it('A list is YAML for clients that prefer it, and so is an error', async () => {
    const headers = { accept: 'application/yaml, application/json' };
    const list = await send('GET', PODS, { headers });
    expect([list.headers['content-type'], list.body]).toEqual([
      'application/yaml',
      'apiVersion: v1\nitems: []\nkind: PodList\nmetadata:\n  resourceVersion: "1"\n',
    ]);
    const { status, body } = await send('GET', `${PODS}/none`, { headers });
    expect([status, String(body)]).toEqual([404, expect.stringMatching(/^apiVersion: v1\ncode: 404\n/)]);
  });

  it('A list in YAML is answered with 413 if writing takes too long, and is not streamed', async () => {
    const text = 'a'.repeat(2 ** 21);
    await json('POST', PODS, {
      body: { metadata: { name: 'x', annotations: { a: 'b' } }, spec: podSpec() },
    });
    const state = [...store.objects.values()].find(({ name }) => name.name === 'x');
    if (state === undefined) throw new Error('there is no pod');
    store.list = async () => ({ rv: 5, items: [{ ...state, body: { ...state.body, text } }] });
    const { status, body } = await send('GET', PODS, { headers: { accept: 'application/yaml' } });
    expect([status, String(body)]).toEqual([413, expect.stringContaining('which is the limit for YAML')]);
  });

  it('A list is indented for ?pretty', async () => {
    expect(String((await send('GET', `${PODS}?pretty=true`)).body)).toContain('\n  "kind": "PodList"');
  });

  it('A list is not indented if that would multiply its size', async () => {
    const nested = JSON.parse(`${'['.repeat(400)}${Array(2_000).fill(0)}${']'.repeat(400)}`);
    await json('POST', PODS, { body: { metadata: { name: 'x' }, spec: { nested } } });
    const { status, body } = await send('GET', `${PODS}?pretty=true`);
    expect(status).toBe(200);
    expect(String(body).length).toBeLessThan(10_000);
  });
});

describe('A watch request', () => {
  const added: WatchEvent = { type: 'ADDED', object: storedPod() };

  it.each([
    ['', undefined],
    ['&resourceVersion=0', undefined],
    ['&resourceVersion=7', 7],
  ])('A watch with %j starts at %s', async (query, from) => {
    await lines(`${PODS}?watch=true${query}`);
    expect(watched[0]).toMatchObject({ from, namespace: 'default', bookmarks: false, timeout: TIMING.watch });
  });

  it('A watch ends and sends bookmarks as requested', async () => {
    await lines(`${PODS}?watch=true&timeoutSeconds=10&allowWatchBookmarks=true`);
    expect(watched[0]).toMatchObject({ bookmarks: true, timeout: 10_000 });
    await lines(`${PODS}?watch=true&timeoutSeconds=3600`);
    expect(watched[1]).toMatchObject({ timeout: TIMING.watch });
  });

  it('A watch is a line of JSON for each event', async () => {
    events = async function* () {
      yield added;
      yield { type: 'HEARTBEAT' };
      yield { type: 'BOOKMARK', rv: 9 };
      yield { type: 'DELETED', object: storedPod() };
    };
    const headers = { 'user-agent': 'undici' };
    const [first, heartbeat, bookmark, deleted] = await lines(`${PODS}?watch=true`, { headers });
    expect(first?.endsWith('}\n')).toBe(true);
    expect(JSON.parse(first ?? '')).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Pod', metadata: { name: 'x', resourceVersion: '7' } },
    });
    expect(heartbeat).toBe('\n');
    expect(JSON.parse(bookmark ?? '')).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '9', creationTimestamp: null } },
    });
    expect(JSON.parse(deleted ?? '').type).toBe('DELETED');
  });

  it('A watch sends only events, except through Node, which closes silent connections', async () => {
    events = async function* () {
      yield { type: 'HEARTBEAT' };
      yield added;
    };
    for (const agent of ['Kubernetes Java Client/27.0.0', 'fabric8-kubernetes-client/7.4.0', 'curl/8', '']) {
      expect(await lines(`${PODS}?watch=true`, { headers: { 'user-agent': agent } })).toHaveLength(1);
    }
    for (const agent of ['undici', 'node', 'node-fetch']) {
      expect(await lines(`${PODS}?watch=true`, { headers: { 'user-agent': agent } })).toHaveLength(2);
    }
  });

  it('A watch describes the columns of its Tables once', async () => {
    events = async function* () {
      yield added;
      yield added;
    };
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const objects = (await lines(`${PODS}?watch=true`, { headers: { accept } })).map(
      (line) => JSON.parse(line).object,
    );
    expect(objects.map(({ kind }) => kind)).toEqual(['Table', 'Table']);
    expect(objects.map(({ columnDefinitions }) => columnDefinitions.length > 0)).toEqual([true, false]);
  });

  it('A watch that has fallen behind ends with a 410 event', async () => {
    events = async function* () {
      yield { type: 'GONE', message: 'too old resource version: 3 (9)' };
      yield added;
    };
    const all = await lines(`${PODS}?watch=true`);
    expect(all.map((line) => JSON.parse(line))).toEqual([
      { type: 'ERROR', object: expect.objectContaining({ code: 410, reason: 'Expired' }) },
    ]);
  });

  it('A watch that fails ends with an event, not with a broken stream', async () => {
    events = async function* () {
      yield added;
      throw new Error('secret');
    };
    const [, last = ''] = await lines(`${PODS}?watch=true`);
    expect(JSON.parse(last)).toMatchObject({ type: 'ERROR', object: { code: 500 } });
    expect(last).not.toContain('secret');
  });

  const INITIAL =
    'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

  it('A watch with sendInitialEvents marks the end of the present objects with a bookmark', async () => {
    events = async function* () {
      yield added;
      yield { type: 'BOOKMARK', rv: 3, endsInitial: true };
    };
    const [, last = ''] = await lines(`${PODS}?${INITIAL}`);
    expect(watched.at(-1)).toMatchObject({ marksInitial: true, bookmarks: true });
    expect(JSON.parse(last)).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: {
          resourceVersion: '3',
          creationTimestamp: null,
          annotations: {
            'k8s.io/initial-events-end': 'true',
            'kubernetes.io/initial-events-list-blueprint': expect.any(String),
          },
        },
      },
    });
    const blueprint =
      JSON.parse(last).object.metadata.annotations['kubernetes.io/initial-events-list-blueprint'];
    expect(JSON.parse(Buffer.from(blueprint, 'base64').toString())).toEqual({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: {},
      items: [],
    });
  });

  const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

  it.each([
    [PARTIAL, 'PartialObjectMetadata'],
    [TABLE, 'Table'],
  ])('of %s shows a bookmark as a %s', async (accept, kind) => {
    events = async function* () {
      yield added;
      yield { type: 'BOOKMARK', rv: 3 };
    };
    const [, last = ''] = await lines(`${PODS}?watch=true&allowWatchBookmarks=true`, { headers: { accept } });
    expect(JSON.parse(last)).toMatchObject({
      type: 'BOOKMARK',
      object: { kind, apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '3' } },
    });
  });

  it('that begins with a list has no Table of it', async () => {
    events = async function* () {
      yield added;
    };
    const query = `${PODS}?${INITIAL}`;
    expect((await json('GET', query, { headers: { accept: TABLE } })).status).toBe(406);
    const [first = ''] = await lines(query, { headers: { accept: `${TABLE},application/json` } });
    expect(JSON.parse(first).object.kind).toBe('Pod');
  });

  it('A watch with sendInitialEvents is refused if answers are buffered, and never ignored', async () => {
    const { status } = await json('GET', `${PODS}?${INITIAL}`, { options: { maximumBytes: 6_000_000 } });
    expect(status).toBe(422);
  });

  it('A watch with sendInitialEvents=false starts now', async () => {
    const query = 'watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan';
    await lines(`${PODS}?${query}`);
    expect(watched.at(-1)?.from).toBeGreaterThan(0);
  });

  it('A watch of a client that requests a websocket ends at once', async () => {
    const asking: Record<string, string>[] = [{ upgrade: 'websocket' }, { 'sec-websocket-key': 'x' }];
    for (const headers of asking) {
      expect(await lines(`${PODS}?watch=true`, { headers })).toEqual([]);
    }
  });
});

describe('The paths beside objects', () => {
  it.each(['/healthz', '/livez', '/readyz'])('The path %s is ok', async (path) => {
    expect(await send('GET', path)).toMatchObject({ status: 200, body: 'ok' });
  });

  it.each([
    ['/', 'paths'],
    ['/version', 'gitVersion'],
    ['/api', 'versions'],
    ['/apis/', 'groups'],
    ['/api/v1', 'resources'],
    ['/openapi/v3', 'paths'],
  ])('The path %s has %s', async (path, member) => {
    expect((await json('GET', path)).body).toHaveProperty(member);
  });

  it.each([
    ['GET', '/api/v1/nope', 404],
    ['GET', '/apis/apps/v9', 404],
    ['POST', '/version', 405],
  ])('The request %s %s is answered with %d', async (method, path, code) => {
    expect((await json(method, path)).status).toBe(code);
  });

  // As kube-apiserver: there is no Status if even the group is missing.
  it.each(['/nope', '/apis/nope', '/apis/nope/v1/things', '//api/v1', '/API/v1/pods'])(
    'The path %s is a missing page',
    async (path) => {
      const { status, headers, body } = await send('GET', path);
      expect({ status, type: headers['content-type'], body }).toEqual({
        status: 404,
        type: 'text/plain; charset=utf-8',
        body: '404 page not found\n',
      });
    },
  );
});

describe('The time limit of a request', () => {
  const over = { ...clock, deadline: () => AbortSignal.abort() };

  it('The time limit ends the calls to the store', async () => {
    const deadlines: AbortSignal[] = [];
    store.within = (deadline) => {
      deadlines.push(deadline);
      return store;
    };
    await send('GET', PODS, { options: { clock: over } });
    expect(deadlines.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('The time limit does not apply to a watch, which has its own', async () => {
    await send('GET', `${PODS}?watch=true`, { options: { clock: over } });
    expect(watched[0]?.signal.aborted).toBe(false);
  });
});

describe('A compressed request body', () => {
  it.each([
    ['gzip', 415],
    ['identity', 201],
  ])('A body with Content-Encoding %s is answered with %d', async (encoding, code) => {
    const { status } = await json('POST', PODS, {
      body: { metadata: { name: 'x' }, spec: podSpec() },
      headers: { 'content-encoding': encoding },
    });
    expect(status).toBe(code);
  });
});
