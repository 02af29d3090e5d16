import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { Answer, HttpClient, KubernetesObject } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const NAMESPACES = '/api/v1/namespaces';
const HOLD = 'example.com/hold';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: Service;
let http: HttpClient;
/** The namespaces before the first write. */
let firstNamespaces: readonly string[];

beforeAll(async () => {
  service = await startService();
  http = service.http;
  firstNamespaces = await http.names(NAMESPACES);
});

afterAll(() => service.stop());

const pod = (name: string, more: object = {}) => ({
  metadata: { name, labels: { app: name } },
  spec: podSpec(),
  ...more,
});
const container = (name: string, image: string) => ({ name, image });

async function create(path: string, body: object): Promise<KubernetesObject> {
  return (await http.post(path, body)).body;
}

/** The metadata that no write changes. */
const identity = ({ metadata: { uid, creationTimestamp, name, namespace } }: KubernetesObject) => ({
  uid,
  creationTimestamp,
  name,
  namespace,
});

describe('the creation of an object', () => {
  it('a create assigns the identity of the object, which a client cannot set', async () => {
    const sent = {
      metadata: {
        name: 'identity',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        generation: 7,
        selfLink: '/mine',
        managedFields: [{ manager: 'me' }],
        deletionTimestamp: '2001-01-01T00:00:00Z',
      },
      spec: { ...podSpec(), nodeName: 'node-1' },
      status: { phase: 'Running' },
    };
    const began = Date.now();
    const answer = await http.post(PODS, sent);
    expect(answer.status).toBe(201);
    const { metadata, ...rest } = answer.body;
    expect(rest).toMatchObject({
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { nodeName: 'node-1', restartPolicy: 'Always' },
    });
    expect(rest.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect(metadata).toEqual({
      name: 'identity',
      namespace: 'default',
      generation: 1,
      uid: expect.stringMatching(UUID),
      creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      resourceVersion: expect.stringMatching(/^[1-9]\d*$/),
      managedFields: [expect.objectContaining({ operation: 'Update', apiVersion: 'v1' })],
    });
    const created = Date.parse(metadata.creationTimestamp);
    expect(created).toBeGreaterThan(began - 1_000);
    expect(created).toBeLessThanOrEqual(Date.now());
    expect((await http.get(`${PODS}/identity`)).body).toEqual(answer.body);
  });

  it('a create with generateName generates names', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        create(PODS, { metadata: { generateName: 'made-', labels: { made: 'yes' } }, spec: podSpec() }),
      ),
    );
    const names = made.map(({ metadata }) => metadata.name);
    for (const name of names) expect(name).toMatch(/^made-[a-z0-9]{5}$/);
    expect(new Set(names).size).toBe(20);
    expect(await http.names(`${PODS}?labelSelector=made%3Dyes`)).toEqual([...names].sort());
  });

  it('a create prefers name to generateName', async () => {
    const { metadata } = await create(PODS, {
      metadata: { generateName: 'made-', name: 'named' },
      spec: podSpec(),
    });
    expect(metadata.name).toBe('named');
  });

  it('a recreated object has a new uid and a later resourceVersion', async () => {
    const first = await create(PODS, pod('again'));
    await http.delete(`${PODS}/again`);
    const second = await create(PODS, pod('again'));
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(
      Number(first.metadata.resourceVersion) + 1,
    );
  });

  it('exactly one of ten concurrent creates of one name succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => http.send('POST', PODS, { body: pod('contested') })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it('an object keeps keys like __proto__ and constructor', async () => {
    const labels = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
    const body = `{"metadata":{"name":"hostile","labels":${JSON.stringify(labels)}},"data":{"__proto__":"x","constructor":"y"}}`;
    await http.ask('POST', CONFIG_MAPS, { body });
    const patched = await http.ask('PATCH', `${CONFIG_MAPS}/hostile`, {
      body: '{"data":{"__proto__":"z"},"metadata":{"labels":{"valueOf":"d"}}}',
      type: 'application/merge-patch+json',
    });
    expect(patched.body.metadata.labels).toEqual({ ...labels, valueOf: 'd' });
    expect(Object.entries(patched.body.data ?? {}).sort()).toEqual([
      ['__proto__', 'z'],
      ['constructor', 'y'],
    ]);
    expect(await http.names(`${CONFIG_MAPS}?labelSelector=constructor%3Da`)).toEqual(['hostile']);
    expect(await http.names(`${CONFIG_MAPS}?labelSelector=isPrototypeOf`)).toEqual([]);
  });
});

describe('the update of an object', () => {
  it('a PUT replaces the client’s fields and keeps the server’s fields', async () => {
    const before = await create(PODS, pod('replaced'));
    const body = { metadata: { name: 'replaced', annotations: { note: 'new' } }, spec: podSpec('b') };
    const { body: after } = await http.put(`${PODS}/replaced`, body);
    expect(identity(after)).toEqual(identity(before));
    expect(after).toMatchObject({ spec: podSpec('b'), status: { phase: 'Pending' } });
    expect(after.metadata.labels).toBeUndefined();
    expect(after.metadata.annotations).toEqual({ note: 'new' });
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  });

  it('the generation counts changes of the spec, not of labels, annotations or status', async () => {
    const path = `${PODS}/counted`;
    await create(PODS, pod('counted'));
    const generations: number[] = [];
    const note = ({ body }: Answer) => generations.push(body.metadata.generation);
    note(await http.merge(path, { metadata: { labels: { tier: 'x' } } }));
    note(await http.merge(path, { metadata: { annotations: { note: 'x' } } }));
    note(await http.merge(`${path}/status`, { status: { phase: 'Running' } }));
    note(await http.merge(path, { spec: podSpec('b') }));
    note(await http.merge(path, { spec: podSpec('b') }));
    expect(generations).toEqual([1, 1, 1, 2, 2]);
  });

  it('an update without changes writes nothing', async () => {
    const path = `${PODS}/still`;
    const before = await create(PODS, { ...pod('still'), spec: { containers: [container('a', 'x')] } });
    const version = await http.version(PODS);
    const echo = {
      ...before,
      metadata: { ...before.metadata, creationTimestamp: '2001-01-01T00:00:00.000Z' },
    };
    const answers = [
      await http.put(path, before),
      await http.put(path, echo),
      await http.merge(path, {}),
      await http.merge(path, { metadata: { labels: { app: 'still', absent: null } } }),
      await http.ask('PATCH', path, { body: [], type: 'application/json-patch+json' }),
      await http.ask('PATCH', path, {
        body: { spec: { containers: [container('a', 'x')] } },
        type: 'application/strategic-merge-patch+json',
      }),
    ];
    for (const { body } of answers) expect(body).toEqual(before);
    expect(await http.version(PODS)).toBe(version);
  });

  it('an update with an outdated resourceVersion conflicts', async () => {
    const path = `${PODS}/stale`;
    const before = await create(PODS, pod('stale'));
    await http.merge(path, { metadata: { labels: { tier: 'x' } } });
    const late = { ...before, spec: podSpec('b') };
    const { resourceVersion } = before.metadata;
    const answers = [
      await http.send('PUT', path, { body: late }),
      await http.send('PATCH', path, {
        body: { metadata: { resourceVersion, labels: { tier: 'y' } } },
        type: 'application/merge-patch+json',
      }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.reason]).toEqual([409, 'Conflict']);
      expect(answer.message).toContain(
        'Operation cannot be fulfilled on pods "stale": the object has been modified; please apply your changes to the latest version',
      );
    }
    expect((await http.get(path)).body.metadata.labels).toEqual({ app: 'stale', tier: 'x' });
  });

  it('an update with another uid conflicts, and an update of a missing object gets 404', async () => {
    await create(PODS, pod('other-uid'));
    const body = { metadata: { name: 'other-uid', uid: '00000000-0000-0000-0000-000000000000' } };
    expect((await http.send('PUT', `${PODS}/other-uid`, { body })).reason).toBe('Conflict');
    const absent = { metadata: { name: 'absent' } };
    expect((await http.send('PUT', `${PODS}/absent`, { body: absent })).reason).toBe('NotFound');
    const patch = { body: {}, type: 'application/merge-patch+json' };
    expect((await http.send('PATCH', `${PODS}/absent`, patch)).reason).toBe('NotFound');
  });
});

describe('the patch of an object', () => {
  const containers = [container('one', 'x'), container('two', 'y')];
  const cases = [
    {
      type: 'application/merge-patch+json',
      body: { spec: { priority: null, containers: [container('one', 'z'), container('two', 'z')] } },
      spec: { containers: [container('one', 'z'), container('two', 'z')] },
    },
    {
      type: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/spec/nodeName', value: 'a' },
        { op: 'replace', path: '/spec/containers/0/image', value: 'z' },
      ],
      spec: { containers: [container('one', 'z'), container('two', 'y')] },
    },
    {
      type: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [container('two', 'z')] } },
      spec: { containers: [container('one', 'x'), container('two', 'z')] },
    },
  ];

  it.each(cases.map((one, index) => ({ ...one, name: `patched-${index}` })))(
    'a patch of the type $type changes the object',
    async ({ type, body, spec: expected, name }) => {
      const before = await create(PODS, pod(name, { spec: { nodeName: 'a', containers } }));
      const { body: after } = await http.ask('PATCH', `${PODS}/${name}`, { type, body });
      expect(after.spec).toMatchObject({ nodeName: 'a', ...expected });
      expect(identity(after)).toEqual(identity(before));
      expect((await http.get(`${PODS}/${name}`)).body).toEqual(after);
    },
  );
});

describe('the status subresource', () => {
  it('only /status changes the status, and it changes nothing else', async () => {
    const path = `${PODS}/with-status`;
    await create(PODS, pod('with-status'));
    const both = { spec: podSpec('b'), status: { phase: 'Running' } };
    const through = await http.merge(`${path}/status`, { ...both, metadata: { labels: { app: 'other' } } });
    expect(through.body).toMatchObject({ spec: podSpec(), status: { phase: 'Running' } });
    expect(through.body.metadata.labels).toEqual({ app: 'other' });
    const beside = await http.merge(path, { spec: podSpec('c'), status: { phase: 'Failed' } });
    expect(beside.body).toMatchObject({ spec: podSpec('c'), status: { phase: 'Running' } });
    const { body } = await http.get(`${path}/status`);
    const put = await http.put(`${path}/status`, { ...body, spec: {}, status: { phase: 'Succeeded' } });
    expect(put.body).toMatchObject({ spec: podSpec('c'), status: { phase: 'Succeeded' } });
    expect(await http.names(`${PODS}?fieldSelector=status.phase%3DSucceeded`)).toEqual(['with-status']);
  });
});

describe('the deletion of an object', () => {
  it('a delete returns the object, which is then gone', async () => {
    const { metadata } = await create(PODS, pod('brief'));
    const { body } = await http.delete(`${PODS}/brief`);
    expect(body).toMatchObject({ kind: 'Pod', metadata: { name: 'brief', uid: metadata.uid } });
    for (const method of ['GET', 'DELETE']) {
      const answer = await http.send(method, `${PODS}/brief`);
      expect([answer.status, answer.reason, answer.message]).toEqual([
        404,
        'NotFound',
        'pods "brief" not found',
      ]);
    }
  });

  it('a delete waits for the finalizers', async () => {
    const path = `${PODS}/held`;
    const before = await create(PODS, {
      metadata: { name: 'held', finalizers: [HOLD] },
      spec: podSpec(),
    });
    const marked = (await http.delete(path)).body;
    expect(marked).toMatchObject({ kind: 'Pod', spec: podSpec() });
    expect(marked.metadata).toMatchObject({
      uid: before.metadata.uid,
      generation: 2,
      finalizers: [HOLD],
      deletionGracePeriodSeconds: 0,
      deletionTimestamp: expect.stringMatching(/Z$/),
    });
    // A second delete changes nothing, and new finalizers are refused from now on.
    expect((await http.delete(path)).body).toEqual(marked);
    const more = await http.send('PATCH', path, {
      body: { metadata: { finalizers: [HOLD, 'example.com/more'] } },
      type: 'application/merge-patch+json',
    });
    expect([more.status, more.causes[0]?.field]).toEqual([422, 'metadata.finalizers']);
    const kept = await http.merge(path, { metadata: { deletionTimestamp: null, labels: { a: 'b' } } });
    expect(kept.body.metadata.deletionTimestamp).toBe(marked.metadata.deletionTimestamp);
    await http.merge(path, { metadata: { finalizers: null } });
    expect((await http.send('GET', path)).status).toBe(404);
  });

  it('a delete respects its preconditions', async () => {
    const path = `${PODS}/sure`;
    const { metadata } = await create(PODS, pod('sure'));
    const { uid, resourceVersion } = metadata;
    const refused = [
      { uid: '00000000-0000-0000-0000-000000000000' },
      { resourceVersion: '1' },
      { uid, resourceVersion: '1' },
    ];
    for (const preconditions of refused) {
      const answer = await http.send('DELETE', path, { body: { kind: 'DeleteOptions', preconditions } });
      expect([answer.status, answer.reason]).toEqual([409, 'Conflict']);
      expect(answer.message).toContain('precondition');
    }
    await http.ask('DELETE', path, {
      body: { kind: 'DeleteOptions', preconditions: { uid, resourceVersion } },
    });
    expect((await http.send('GET', path)).status).toBe(404);
  });

  it('a collection delete deletes the selected objects, and marks those with finalizers', async () => {
    const labels = (fleet: string) => ({ fleet, kind: 'ship' });
    for (const [name, fleet] of Object.entries({ anna: 'red', bella: 'blue', clara: 'red', dora: 'red' })) {
      const finalizers = name === 'dora' ? [HOLD] : [];
      await create(CONFIG_MAPS, { metadata: { name, labels: labels(fleet), finalizers } });
    }
    const answer = await http.delete(
      `${CONFIG_MAPS}?labelSelector=${encodeURIComponent('kind=ship,fleet in (red)')}&fieldSelector=${encodeURIComponent('metadata.name!=clara')}`,
    );
    expect(answer.body.kind).toBe('ConfigMapList');
    expect(answer.items.map(({ metadata }) => metadata.name).sort()).toEqual(['anna', 'dora']);
    expect(await http.names(`${CONFIG_MAPS}?labelSelector=kind%3Dship`)).toEqual(['bella', 'clara', 'dora']);
    expect((await http.get(`${CONFIG_MAPS}/dora`)).body.metadata.deletionTimestamp).toBeDefined();
    await http.merge(`${CONFIG_MAPS}/dora`, { metadata: { finalizers: null } });
  });
});

describe('the option dryRun', () => {
  it('a dry run returns the result, and writes nothing', async () => {
    const path = `${PODS}/rehearsed`;
    const before = await create(PODS, pod('rehearsed'));
    const version = await http.version(PODS);
    const all = 'dryRun=All';

    const made = await http.post(`${PODS}?${all}`, pod('imagined'));
    expect(made.status).toBe(201);
    expect(made.body.metadata).toMatchObject({
      name: 'imagined',
      generation: 1,
      uid: expect.stringMatching(UUID),
    });
    const put = await http.put(`${path}?${all}`, {
      metadata: { name: 'rehearsed' },
      spec: podSpec('b'),
    });
    expect(put.body).toMatchObject({ spec: podSpec('b'), metadata: { generation: 2 } });
    const patched = await http.merge(`${path}?${all}`, { metadata: { labels: { tier: 'x' } } });
    expect(patched.body.metadata.labels).toEqual({ app: 'rehearsed', tier: 'x' });
    expect((await http.delete(`${path}?${all}`)).body.kind).toBe('Pod');
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };
    expect((await http.ask('DELETE', path, { body })).body.kind).toBe('Pod');
    expect((await http.ask('DELETE', `${PODS}?labelSelector=app%3Drehearsed`, { body })).items).toHaveLength(
      1,
    );

    expect((await http.get(path)).body).toEqual(before);
    expect((await http.send('GET', `${PODS}/imagined`)).status).toBe(404);
    expect(await http.version(PODS)).toBe(version);
  });

  it('a dry run refuses what the write would refuse', async () => {
    const refused = [
      [await http.send('POST', `${PODS}?dryRun=All`, { body: { metadata: { name: 'A' } } }), 422],
      [await http.send('POST', `${PODS}?dryRun=All`, { body: pod('rehearsed') }), 409],
      [await http.send('POST', `${NAMESPACES}/nowhere/pods?dryRun=All`, { body: pod('new') }), 404],
      [await http.send('DELETE', `${PODS}/absent?dryRun=All`), 404],
    ] as const;
    for (const [answer, status] of refused) expect(answer.status).toBe(status);
  });
});

describe('types with special rules', () => {
  it('a Secret stores stringData as data', async () => {
    const body = {
      metadata: { name: 'token' },
      data: { a: 'QQ==', b: 'Qg==' },
      stringData: { b: 'bé', c: '' },
    };
    const made = await create(SECRETS, body);
    const encoded = { a: 'QQ==', b: Buffer.from('bé').toString('base64'), c: '' };
    expect(made).toMatchObject({ type: 'Opaque', data: encoded });
    expect(made.stringData).toBeUndefined();
    const patched = await http.merge(`${SECRETS}/token`, { stringData: { a: 'A2' } });
    expect(patched.body.data).toEqual({ ...encoded, a: Buffer.from('A2').toString('base64') });
    const typed = await http.send('PATCH', `${SECRETS}/token`, {
      body: { type: 'kubernetes.io/tls' },
      type: 'application/merge-patch+json',
    });
    expect([typed.status, typed.causes[0]?.field]).toEqual([422, 'type']);
  });

  it('the data of an immutable ConfigMap cannot change', async () => {
    await create(CONFIG_MAPS, { metadata: { name: 'fixed' }, data: { a: '1' }, immutable: true });
    const changes = [{ data: { a: '2' } }, { immutable: false }];
    for (const body of changes) {
      const answer = await http.send('PATCH', `${CONFIG_MAPS}/fixed`, {
        body,
        type: 'application/merge-patch+json',
      });
      expect([answer.status, answer.reason]).toEqual([422, 'Invalid']);
    }
    await http.merge(`${CONFIG_MAPS}/fixed`, { metadata: { labels: { still: 'labelled' } } });
  });
});

describe('the namespaces of the API', () => {
  it('the namespace `default` exists from the start', () => {
    expect(firstNamespaces).toContain('default');
  });

  it('the namespace `default` cannot be deleted', async () => {
    const answer = await http.send('DELETE', `${NAMESPACES}/default`);
    expect([answer.status, answer.reason]).toEqual([403, 'Forbidden']);
    expect(answer.message).toContain('namespaces "default" is forbidden: this namespace may not be deleted');
    expect((await http.get(`${NAMESPACES}/default`)).body).toMatchObject({ status: { phase: 'Active' } });
  });

  it('a namespace has its name as a label', async () => {
    expect(await http.names(`${NAMESPACES}?labelSelector=kubernetes.io/metadata.name%3Ddefault`)).toEqual([
      'default',
    ]);
  });

  it('a deleted namespace is emptied, and disappears when nothing is left', async () => {
    await create(NAMESPACES, { metadata: { name: 'shop' } });
    const inside = `${NAMESPACES}/shop`;
    await create(`${inside}/pods`, pod('web'));
    await create(`${inside}/configmaps`, { metadata: { name: 'settings' } });
    await create(`${inside}/pods`, { metadata: { name: 'last', finalizers: [HOLD] }, spec: podSpec() });
    const template = { metadata: { labels: { app: 'web' } }, spec: podSpec() };
    const spec = { selector: { matchLabels: { app: 'web' } }, template };
    await create('/apis/apps/v1/namespaces/shop/deployments', { metadata: { name: 'web' }, spec });

    const { body } = await http.delete(inside);
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    const refused = await http.send('POST', `${inside}/pods`, { body: pod('late') });
    expect([refused.status, refused.causes[0]?.reason]).toEqual([403, 'NamespaceTerminating']);

    const conditionOf = async (type: string) => {
      const { conditions = [] } = Object((await http.get(inside)).body.status);
      return conditions.find((one: { type: string }) => one.type === type);
    };
    await eventually('the pod that a finalizer holds is the last pod', async () => {
      const { status } = (await conditionOf('NamespaceFinalizersRemaining')) ?? {};
      return status === 'True' && (await http.names(`${inside}/pods`)).join() === 'last';
    });
    expect((await conditionOf('NamespaceContentRemaining')).message).toContain(
      'pods. has 1 resource instances',
    );
    expect((await http.get(`${inside}/pods/last`)).body.metadata.deletionTimestamp).toBeDefined();
    // A NetworkPolicy must outlive the pods, so everything else waits for them.
    expect(await http.names(`${inside}/configmaps`)).toEqual(['settings']);
    expect(await http.names('/apis/apps/v1/namespaces/shop/deployments')).toEqual(['web']);
    await http.merge(`${inside}/pods/last`, { metadata: { finalizers: null } });
    await eventually('the namespace is gone', async () => (await http.send('GET', inside)).status === 404);
    expect((await create(NAMESPACES, { metadata: { name: 'shop' } })).metadata.name).toBe('shop');
    expect(await http.names(`${inside}/pods`)).toEqual([]);
  });
});

describe('creates of Subscriptions', () => {
  it('many concurrent creates in one namespace do not fail because of each other', async () => {
    const path = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
    const spec = { resource: { resource: 'secrets' }, labelSelector: 'app=none' };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        http.send('POST', path, { body: { metadata: { name: `crowd-${index}` }, spec } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });
});

it('the service logged no problems', () => {
  expect(service.problems).toEqual([]);
});
