import { beforeEach, describe, expect, it } from '@jest/globals';
import { parsePolicy } from '../../../../lib/kubernetes/audit/index.ts';
import { NAMESPACES } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { Auditor } from '../../../../lib/server/auditing/index.ts';
import { type ApiRequest, createApi, readingVerbs, writingVerbs } from '../../../../lib/server/index.ts';
import { beginSchema, createWatches, KNOWN_SCHEMAS } from '../../../../lib/store/index.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryWorld, type MemoryWorld, seeded } from '../../../support/watch/memory-world.ts';

const JANE = { username: 'jane', groups: ['system:authenticated'] };
const NODES = '/api/v1/nodes';

let memory: MemoryWorld;
let events: Record<string, unknown>[];
/** How many events existed each time a caller waited for them. */
let settled: number[];

beforeEach(async () => {
  memory = await createMemoryWorld();
  events = [];
  settled = [];
});

/** Sends one request, under a policy with these rules. */
async function ask(rules: object[], asked: Partial<ApiRequest> & { body?: Uint8Array }) {
  const outside = { clock: memory.clock, random: seeded(1), logger: silentLogger, store: memory.world.store };
  const auditor = new Auditor({
    policy: parsePolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }),
    clock: memory.clock,
    keep: (event) => events.push(JSON.parse(JSON.stringify(event))),
    settle: async () => void settled.push(events.length),
  });
  const api = createApi({
    ...outside,
    verbs: { ...readingVerbs, ...writingVerbs },
    watches: createWatches(outside),
    announce: async () => {},
    auditing: async () => auditor,
  });
  const request = {
    auditID: 'of-a-request',
    method: 'POST',
    path: NODES,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json', 'user-agent': 'kubectl/v1' },
    user: ADMIN,
    sourceIP: '192.0.2.7',
    ...asked,
  };
  return memory.clock.during(api.handle(request, new AbortController().signal));
}

it('A request waits once for all its events before the answer, and does not wait without events', async () => {
  await ask([{ level: 'None' }], { method: 'GET' });
  expect(settled).toEqual([]);
  await ask([{ level: 'Metadata' }], { method: 'GET' });
  await ask([{ level: 'Metadata' }], { method: 'GET', path: '/nowhere' });
  expect([events.length, settled]).toEqual([4, [2, 4]]);
});

it("The events of a principal with an AccessEntry name the entry's user, without impersonation", async () => {
  const principal = 'arn:aws:iam::111122223333:role/Deployer';
  const entry = { metadata: { name: 'one' }, spec: { principal, username: 'jane', groups: ['shop'] } };
  await ask([{ level: 'None' }], { path: '/apis/winnow.dev/v1/accessentries', body: bytes(entry) });
  const user = { username: principal, groups: ['system:authenticated'] };
  await ask([{ level: 'Metadata', users: ['jane'] }, { level: 'None' }], { user, principal, method: 'GET' });
  const [received, complete] = events;
  const jane = {
    username: 'jane',
    groups: ['shop', 'system:authenticated'],
    extra: { canonicalArn: [principal] },
  };
  expect([received?.user, complete?.user]).toEqual([jane, jane]);
  expect(complete).toMatchObject({ responseStatus: { code: 403 } });
  expect(complete).not.toHaveProperty('impersonatedUser');
});

it('A request whose login has ended is refused from that moment on, and audited', async () => {
  const ending = { user: JANE, method: 'GET', expires: memory.clock.now() + 60_000 };
  expect((await ask([{ level: 'None' }], ending)).status).toBe(403);
  await memory.clock.during(memory.clock.sleep(60_000));
  expect((await ask([{ level: 'Metadata' }], ending)).status).toBe(401);
  expect(events.at(-1)).toMatchObject({
    user: { username: 'jane' },
    responseStatus: { code: 401 },
    annotations: { 'authorization.k8s.io/decision': 'forbid' },
  });
});

it.each([
  ['there', {}, 403],
  ['another one', { uid: 'of-another' }, 401],
  ['gone', { name: 'gone' }, 401],
])('A request whose login depends on an account that is %s is decided', async (_how, other, code) => {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const made = await ask([{ level: 'None' }], { path, body: bytes({ metadata: { name: 'robot' } }) });
  const { uid } = JSON.parse(String(made.body)).metadata;
  const bound = [{ resource: 'serviceaccounts', namespace: 'default', name: 'robot', uid, ...other }];
  expect((await ask([{ level: 'None' }], { user: JANE, method: 'GET', bound })).status).toBe(code);
});

it('A login that depends on a deleted account with a finalizer is refused after a minute', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const account = { metadata: { name: 'robot', finalizers: ['a.example/b'] } };
  const { uid } = JSON.parse(
    String((await ask([{ level: 'None' }], { path, body: bytes(account) })).body),
  ).metadata;
  const bound = [{ resource: 'serviceaccounts', namespace: 'default', name: 'robot', uid }];
  expect((await ask([{ level: 'None' }], { method: 'DELETE', path: `${path}/robot` })).status).toBe(200);
  const status = async () => (await ask([{ level: 'None' }], { user: JANE, method: 'GET', bound })).status;
  expect(await status()).toBe(403);
  await memory.clock.during(memory.clock.sleep(62_000));
  expect(await status()).toBe(401);
});

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const node = { metadata: { name: 'a' } };

describe('The audit events of a request', () => {
  it('The events have the user, the action, the decision and the answer', async () => {
    await ask([{ level: 'Metadata' }], { body: bytes(node) });
    const about = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'of-a-request',
      requestURI: NODES,
      verb: 'create',
      user: ADMIN,
      sourceIPs: ['192.0.2.7'],
      userAgent: 'kubectl/v1',
      objectRef: { resource: 'nodes', apiVersion: 'v1' },
      requestReceivedTimestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      stageTimestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    };
    const decided = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' };
    expect(events).toEqual([
      { ...about, stage: 'RequestReceived' },
      {
        ...about,
        objectRef: { resource: 'nodes', apiVersion: 'v1', name: 'a' },
        stage: 'ResponseComplete',
        responseStatus: { metadata: {}, code: 201 },
        annotations: decided,
      },
    ]);
  });

  it('The events of a refused request have the reason and the impersonated user', async () => {
    const impersonation = { 'impersonate-user': ['jane'] };
    await ask([{ level: 'Metadata', omitStages: ['RequestReceived'] }], {
      body: bytes(node),
      impersonation,
    });
    const message =
      'nodes is forbidden: User "jane" cannot create resource "nodes" in API group "" at the cluster scope';
    expect(events).toEqual([
      expect.objectContaining({
        user: ADMIN,
        impersonatedUser: JANE,
        responseStatus: { metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden', message },
        annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': message },
      }),
    ]);
  });

  it('The body of a request that its caller may not send is not read', async () => {
    await ask([{ level: 'Request' }], { user: JANE, body: bytes(node) });
    expect(events.at(-1)).toMatchObject({ responseStatus: { code: 403 }, objectRef: { resource: 'nodes' } });
    expect(events.at(-1)).not.toHaveProperty('requestObject');
    expect(events.at(-1)?.objectRef).not.toHaveProperty('name');
  });

  it('The events of a refused impersonation contain only the impersonation', async () => {
    const impersonation = { 'impersonate-user': ['joe'] };
    await ask([{ level: 'Metadata' }], { user: JANE, impersonation });
    expect(events.at(-1)).toMatchObject({
      user: JANE,
      responseStatus: { code: 403 },
      annotations: { 'authorization.k8s.io/decision': 'forbid' },
    });
    expect(events.at(-1)).not.toHaveProperty('impersonatedUser');
  });

  it.each([
    ['in JSON', bytes(node), 'application/json', { requestObject: node }],
    ['in YAML', Buffer.from('metadata:\n  name: a\n'), 'application/yaml', { requestObject: node }],
    [
      'that is none',
      Buffer.from('{'),
      'application/json',
      {
        annotations: { 'winnow.dev/request-object': 'left out: the body cannot be read as application/json' },
      },
    ],
    [
      'that is too long',
      bytes({ ...node, data: 'x'.repeat(100_000) }),
      'application/json',
      { annotations: { 'winnow.dev/request-object': expect.stringMatching(/^left out: \d{6} bytes$/) } },
    ],
  ])('The body %s is in the event at the level that includes it', async (_how, body, type, told) => {
    await ask([{ level: 'Request' }], { body, headers: { 'content-type': type } });
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete']);
    expect(events[0]).not.toHaveProperty('requestObject');
    expect(events[1]).toMatchObject(told);
  });

  it('The event omits a body that is nested too deep for a line of JSON', async () => {
    const deep = `{"metadata":{"name":"a"},"unknown":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { status } = await ask([{ level: 'Request' }], { body: Buffer.from(deep) });
    expect(status).toBe(400);
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      annotations: { 'winnow.dev/request-object': 'left out: the body is nested deeper than 500 levels' },
    });
    expect(events[1]).not.toHaveProperty('requestObject');
  });

  it.each(['Metadata', 'Request'])(
    'The event of any request at level %s is a line that logs and queues accept',
    async (level) => {
      await ask([{ level }], { body: bytes({ metadata: { name: 'x'.repeat(400_000) } }) });
      expect(events.at(-1)).toMatchObject({ responseStatus: { code: 422 } });
      expect(JSON.stringify(events.at(-1)).length).toBeLessThan(200_000);
    },
  );

  it.each([
    ['in no JSON', '{"data":{"a":"hunter2"},,}', 400],
    ['of another kind', '{"kind":"hunter2","apiVersion":"v1"}', 400],
    ['with a key that is none', '{"metadata":{"name":"s"},"stringData":{"hunter2!":""}}', 422],
  ])(
    'The event of a Secret %s has no content of it, also not in the reason of a refusal',
    async (_how, text, code) => {
      const path = '/api/v1/namespaces/default/secrets';
      const { body } = await ask([{ level: 'Request' }], { path, body: Buffer.from(text) });
      expect(String(body)).toContain('hunter2');
      expect(events.at(-1)).toMatchObject({ responseStatus: { status: 'Failure', code } });
      expect(JSON.stringify(events)).not.toContain('hunter2');
    },
  );

  it('The event has no body of a Secret', async () => {
    const path = '/api/v1/namespaces/default/secrets';
    const body = bytes({ metadata: { name: 's' }, stringData: { password: 'hunter2' } });
    await ask([{ level: 'Request' }], { path, body });
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it.each([
    ['another type', '/api/v1/namespaces/default/configmaps'],
    ['a path that cannot be read', '/api/v1/namespaces/%zz/secrets'],
    ['a path that is about no objects', '/secrets'],
  ])('The event has no body of a Secret that was sent to %s', async (_where, path) => {
    const body = bytes({ kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'hunter2' } });
    await ask([{ level: 'Request' }], { path, body });
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  const MAPS = '/api/v1/namespaces/default/configmaps';
  const hidden = { password: 'hunter2' };
  const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, stringData: hidden };

  it.each<[what: string, path: string, body: object, type?: string]>([
    ['a SecretList', MAPS, { kind: 'SecretList', items: [{ metadata: {}, data: hidden }] }],
    ['a List with a Secret', MAPS, { kind: 'List', items: [secret] }],
    ['a Secret without a kind', '/api/v1/namespaces/default/pods', { metadata: {}, data: hidden }],
    ['a Secret of a path with an empty segment', '/api/v1/namespaces/default//secrets', { data: hidden }],
    ['a Secret of a path that begins with two', '//api/v1/namespaces/default/configmaps', { data: hidden }],
    ['a Secret of a path that ends with one', `${MAPS}/`, { data: hidden }],
    ['a Secret of a resource in another case', '/api/v1/namespaces/default/Secrets', { data: hidden }],
    ['a Secret of a version that is none', '/api/v2/namespaces/default/secret', { data: hidden }],
    ['a Secret of a group that is none of its', '/apis/apps/v1/namespaces/default/secrets', { data: hidden }],
    ['a token', '/apis/authentication.k8s.io/v1//tokenreviews', { spec: { token: 'hunter2' } }],
    ['a token', '/api/v1/namespaces/default//serviceaccounts/a/token', { spec: { token: 'hunter2' } }],
    [
      'a patch that adds a Secret',
      `${MAPS}/a`,
      [{ op: 'add', path: '/x', value: secret }],
      'json-patch+json',
    ],
    ['an apply of a Secret', `${MAPS}/a?fieldManager=a`, secret, 'apply-patch+yaml'],
  ])('nothing of %s is told that was sent to %s', async (_what, target, body, type = '') => {
    const [path = '', query] = target.split('?');
    await ask([{ level: 'Request' }], {
      method: type === '' ? 'POST' : 'PATCH',
      path,
      query: new URLSearchParams(query),
      body: bytes(body),
      headers: { 'content-type': `application/${type || 'json'}` },
    });
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(events.at(-1)).toMatchObject({
      annotations: {
        'winnow.dev/request-object': expect.stringMatching(/^left out: (the body holds|the path)/),
      },
    });
  });

  it('The event of a path that is no object omits the name in the body', async () => {
    const path = '/api/v1/namespaces/default//secrets';
    await ask([{ level: 'Metadata' }], { path, body: bytes({ metadata: { name: 'hunter2' } }) });
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('The event has a body of a kind that a definition may have created', async () => {
    const path = '/apis/example.com/v1/namespaces/default/fleets';
    await ask([{ level: 'Request' }], { path, body: bytes({ spec: { size: 3 } }) });
    expect(events.at(-1)).toMatchObject({ requestObject: { spec: { size: 3 } } });
  });

  it('The event omits managed fields of the body if the policy says so', async () => {
    const body = bytes({ metadata: { name: 'a', managedFields: [{ manager: 'kubectl' }] } });
    await ask([{ level: 'Request', omitManagedFields: true }], { body });
    expect(events.at(-1)).toMatchObject({ requestObject: { metadata: { name: 'a' } } });
    expect(JSON.stringify(events)).not.toContain('managedFields');
  });

  it('The event of a create in YAML has the name of the object', async () => {
    const headers = { 'content-type': 'application/yaml' };
    await ask([{ level: 'Metadata' }], { body: Buffer.from('metadata:\n  name: a\n'), headers });
    expect(events.at(-1)).toMatchObject({ objectRef: { resource: 'nodes', name: 'a' } });
  });

  it('A request that matches no rule has no event', async () => {
    await ask([{ level: 'None', verbs: ['create'] }, { level: 'Metadata' }], { body: bytes(node) });
    await ask([{ level: 'Metadata', users: ['joe'] }], { method: 'GET', path: '/version' });
    expect(events).toEqual([]);
  });

  it('A watch has an event when it starts and one when it ends', async () => {
    const query = new URLSearchParams({ watch: 'true', timeoutSeconds: '1', resourceVersion: '1' });
    const { body } = await ask([{ level: 'Metadata' }], { method: 'GET', query });
    const stages = () => events.map(({ stage }) => stage);
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted']);
    const read = async () => {
      for await (const _line of body as AsyncIterable<string>);
    };
    await memory.clock.during(read());
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events.at(-1)).toMatchObject({ verb: 'watch', responseStatus: { code: 200 } });
    expect(settled).toEqual([2, 3]);
  });

  it('The event of a malformed path has the path', async () => {
    await ask([{ level: 'Metadata' }], { method: 'GET', path: '/api/v1/%zz' });
    expect(events.at(-1)).toMatchObject({
      verb: 'get',
      requestURI: '/api/v1/%zz',
      responseStatus: { code: 400 },
    });
  });
});

it('A request for history is audited as a read of the resource whose changes it lists', async () => {
  await beginSchema(memory.world.table, KNOWN_SCHEMAS, NAMESPACES);
  const histories = {
    method: 'GET',
    path: '/apis/winnow.dev/v1/namespaces/default/histories',
    query: new URLSearchParams({ fieldSelector: 'resource=secrets' }),
  };
  const secrets = { level: 'Metadata', resources: [{ group: '', resources: ['secrets/history'] }] };
  const refused = await ask([secrets, { level: 'None' }], { ...histories, user: JANE });
  expect(refused.status).toBe(403);
  expect((await ask([secrets, { level: 'None' }], { ...histories, user: ADMIN })).status).toBe(200);
  const object = { method: 'GET', path: '/api/v1/namespaces/default/secrets/s/history' };
  expect((await ask([secrets, { level: 'None' }], object)).status).toBe(404);
  const objectRef = { resource: 'secrets', subresource: 'history', namespace: 'default', apiVersion: 'v1' };
  const complete = events.filter(({ stage }) => stage === 'ResponseComplete');
  expect(complete).toMatchObject([
    { verb: 'list', objectRef, responseStatus: { code: 403 } },
    { verb: 'list', objectRef, responseStatus: { code: 200 } },
    { verb: 'get', objectRef: { ...objectRef, name: 's' }, responseStatus: { code: 404 } },
  ]);
});

it('The event of a write has the audit annotations of the policies that decided it', async () => {
  await beginSchema(memory.world.table, KNOWN_SCHEMAS, NAMESPACES);
  const group = '/apis/admissionregistration.k8s.io/v1';
  const resourceRules = [
    { operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['nodes'] },
  ];
  const policy = {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules },
      validations: [{ expression: "object.metadata.name != 'bad'", message: 'it is bad' }],
      auditAnnotations: [{ key: 'node', valueExpression: "'named ' + object.metadata.name" }],
    },
  };
  const binding = {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Audit'] },
  };
  await ask([{ level: 'None' }], { path: `${group}/validatingadmissionpolicies`, body: bytes(policy) });
  await ask([{ level: 'None' }], {
    path: `${group}/validatingadmissionpolicybindings`,
    body: bytes(binding),
  });
  expect((await ask([{ level: 'Metadata' }], { body: bytes({ metadata: { name: 'bad' } }) })).status).toBe(
    201,
  );
  expect(events.at(-1)).toMatchObject({
    annotations: {
      'p/node': 'named bad',
      'validation.policy.admission.k8s.io/validation_failure': expect.stringContaining('it is bad'),
    },
  });
});
