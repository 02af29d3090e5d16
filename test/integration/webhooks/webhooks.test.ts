import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { type Service, startService } from '../../support/service/service.ts';
import {
  CA_BUNDLE,
  type Respond,
  reviewing,
  serveWebhook,
  type WebhookServer,
} from '../../support/webhooks/webhook-server.ts';

const ROOT = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

let service: Service;
let server: WebhookServer;
/** Answers by path. A path without an answer allows everything. */
const answers = new Map<string, Respond>();
const created: string[] = [];

beforeAll(async () => {
  [service, server] = await Promise.all([
    startService({ newestSchema: true }),
    serveWebhook((response, body, request) => {
      const path = new URL(request.url ?? '', 'https://localhost').pathname;
      const respond = answers.get(path) ?? reviewing(() => ({ allowed: true }));
      respond(response, body, request);
    }),
  ]);
});

afterAll(async () => {
  await Promise.all([service.stop(), server.stop()]);
});

afterEach(async () => {
  for (const path of created.splice(0)) await service.http.send('DELETE', path);
  answers.clear();
});

type Kind = 'mutating' | 'validating';
type Decide = (request: JsonObject) => object;

/** Registers a webhook for ConfigMaps with these answers, by its name. */
function register(kind: Kind, name: string, answer: Decide, others?: JsonObject): Promise<void>;
function register(kind: Kind, name: string, answer: Respond, others?: JsonObject): Promise<void>;
async function register(kind: Kind, name: string, answer: Decide | Respond, others: JsonObject = {}) {
  const [path, plural] = [`/${name}`, `${kind}webhookconfigurations`];
  answers.set(path, answer.length > 1 ? (answer as Respond) : reviewing(answer as never));
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: { url: `${server.url}${path}`, caBundle: CA_BUNDLE },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...others,
  };
  await service.http.post(`${ROOT}/${plural}`, { metadata: { name }, webhooks: [webhook] });
  created.push(`${ROOT}/${plural}/${name}`);
}

const map = (name: string, others: JsonObject = {}) => ({ metadata: { name, ...others }, data: { a: '1' } });
const send = (name: string, others: JsonObject = {}) =>
  service.http.send('POST', MAPS, { body: map(name, others) });
const patching = (...operations: object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const asked = (path: string) => server.received.filter(({ url }) => url.startsWith(`${path}?`)).length;

describe('validating webhooks', () => {
  it('deny creates, updates, patches, applies and deletes with their own Status', async () => {
    await send('held');
    await register('validating', 'deny', ({ operation }) => ({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: `no ${operation}` },
    }));
    const path = `${MAPS}/held`;
    const apply = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: { b: '2' },
      metadata: { name: 'held' },
    };
    const requests = [
      ['POST', MAPS, { body: map('new') }, 'CREATE'],
      ['PUT', path, { body: map('held', { labels: { a: 'b' } }) }, 'UPDATE'],
      ['PATCH', path, { body: { data: { a: '2' } }, type: 'application/merge-patch+json' }, 'UPDATE'],
      ['PATCH', `${path}?fieldManager=me`, { body: apply, type: 'application/apply-patch+yaml' }, 'UPDATE'],
      ['DELETE', path, {}, 'DELETE'],
      ['DELETE', `${MAPS}?fieldSelector=metadata.name=held`, {}, 'DELETE'],
    ] as const;
    for (const [method, url, options, operation] of requests) {
      const { status, message } = await service.http.send(method, url, options);
      const denial = `admission webhook "deny.example.com" denied the request: no ${operation}`;
      expect([method, status, message]).toEqual([method, 403, denial]);
    }
    const { body } = await service.http.get(path);
    expect(body).toMatchObject({ data: { a: '1' } });
    expect(body.metadata.labels).toBeUndefined();
    expect((await service.http.send('GET', `${MAPS}/new`)).status).toBe(404);
  });

  it('are asked once about a write that they allow', async () => {
    await register('validating', 'once', () => ({ allowed: true, warnings: ['be careful'] }));
    const { status, headers } = await send('once');
    expect([status, headers.get('warning')]).toEqual([201, '299 - "be careful"']);
    expect(asked('/once')).toBe(1);
  });

  it('decide again about an object that another writer changed while they were asked', async () => {
    await send('raced');
    let isFirst = true;
    await register('validating', 'race', ((response, body, request) => {
      const answer = () => reviewing(() => ({ allowed: true }))(response, body, request);
      if (!isFirst) {
        answer();
        return;
      }
      isFirst = false;
      const path = `${MAPS}/raced`;
      const other = { body: { data: { other: 'yes' } }, type: 'application/merge-patch+json' };
      service.http.ask('PATCH', path, other).then(answer);
    }) satisfies Respond);
    const own = { body: { data: { own: 'yes' } }, type: 'application/merge-patch+json' };
    await service.http.ask('PATCH', `${MAPS}/raced`, own);
    const seen = server.received
      .filter(({ url }) => url.startsWith('/race?'))
      .map(({ body }) => Object.keys(JSON.parse(body).request.object.data));
    expect(seen).toEqual([
      ['a', 'own'],
      ['a', 'other'],
      ['a', 'other', 'own'],
    ]);
  });

  it('do not let a create into a namespace that was deleted while they were asked', async () => {
    await service.http.post('/api/v1/namespaces', { metadata: { name: 'leaving' } });
    await register('validating', 'leave', ((response, body, request) => {
      const answer = () => reviewing(() => ({ allowed: true }))(response, body, request);
      service.http.ask('DELETE', '/api/v1/namespaces/leaving').then(answer);
    }) satisfies Respond);
    const { status, message } = await service.http.send('POST', '/api/v1/namespaces/leaving/configmaps', {
      body: map('late'),
    });
    expect([403, 404]).toContain(status);
    expect(message).toMatch(/being terminated|not found/);
  });

  it('fail a write with 500 if they cannot be reached, unless failurePolicy is Ignore', async () => {
    const clientConfig = { url: 'https://localhost:1/', caBundle: CA_BUNDLE };
    await register('validating', 'gone', () => ({}), { clientConfig });
    const failed = await send('unreached');
    expect([failed.status, failed.reason]).toEqual([500, 'InternalError']);
    expect(failed.message).toContain(
      'Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: Post "https://localhost:1/?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    const configuration = `${ROOT}/validatingwebhookconfigurations/gone`;
    const ignore = { body: [{ op: 'add', path: '/webhooks/0/failurePolicy', value: 'Ignore' }] };
    await service.http.ask('PATCH', configuration, { ...ignore, type: 'application/json-patch+json' });
    expect((await send('unreached')).status).toBe(201);
  });

  it('fail a write if they do not answer in time', async () => {
    await register('validating', 'hang', ((_response, _body, _request) => {}) satisfies Respond, {
      timeoutSeconds: 1,
    });
    const { status, message } = await send('hung');
    expect([status, message]).toEqual([
      500,
      expect.stringContaining('/hang?timeout=1s": context deadline exceeded'),
    ]);
  });

  it('are asked only where their selectors and conditions match', async () => {
    await service.http.post('/api/v1/namespaces', { metadata: { name: 'guarded', labels: { guard: 'on' } } });
    await register('validating', 'some', () => ({ allowed: false }), {
      namespaceSelector: { matchLabels: { guard: 'on' } },
      objectSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] },
      matchConditions: [{ name: 'named', expression: "object.metadata.name.startsWith('x')" }],
    });
    const path = '/api/v1/namespaces/guarded/configmaps';
    const inside = (name: string, others = {}) =>
      service.http.send('POST', path, { body: map(name, others) });
    expect((await send('x-outside')).status).toBe(201);
    expect((await inside('y')).status).toBe(201);
    expect((await inside('x-free', { labels: { free: 'yes' } })).status).toBe(201);
    expect((await inside('x')).status).toBe(400);
  });

  it('deny evictions, scales, bindings and connections', async () => {
    const rules = [
      {
        apiGroups: ['', 'apps'],
        apiVersions: ['v1'],
        operations: ['*'],
        resources: ['pods/eviction', 'pods/binding', 'pods/attach', '*/scale'],
      },
    ];
    let allowed = false;
    const seen: string[] = [];
    const decide: Decide = ({ operation, resource, subResource, kind }) => {
      seen.push(`${operation} ${objectAt(resource).resource}/${subResource} ${objectAt(kind).kind}`);
      return { allowed };
    };
    await register('validating', 'below', decide, { rules });
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'a', image: 'b' }] };
    await service.http.post(pods, { metadata: { name: 'held', labels: { app: 'a' } }, spec });
    const template = { metadata: { labels: { app: 'a' } }, spec };
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    await service.http.post(deployments, {
      metadata: { name: 'held' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    });
    const requests = [
      ['PATCH', `${deployments}/held/scale`, { spec: { replicas: 3 } }],
      ['POST', `${pods}/held/binding`, { metadata: { name: 'held' }, target: { kind: 'Node', name: 'a' } }],
      [
        'POST',
        `${pods}/held/eviction`,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'held' } },
      ],
    ] as const;
    const type = 'application/merge-patch+json';
    const sendAll = () =>
      Promise.all(
        requests.map(async ([method, path, body]) => {
          const { status } = await service.http.send(method, path, {
            body,
            ...(method === 'PATCH' && { type }),
          });
          return status;
        }),
      );
    await expect(sendAll()).resolves.toEqual([400, 400, 400]);
    const attached = await service.http.send('POST', `${pods}/held/attach?stdin=true`);
    expect(attached.message).toContain('"below.example.com" denied the request');
    expect(seen.toSorted()).toEqual([
      'CONNECT pods/attach PodAttachOptions',
      'CREATE pods/binding Binding',
      'CREATE pods/eviction Eviction',
      'UPDATE deployments/scale Scale',
    ]);
    allowed = true;
    for (const [method, path, body] of requests) {
      const { status } = await service.http.send(method, path, { body, ...(method === 'PATCH' && { type }) });
      expect([path, status]).toEqual([path, method === 'PATCH' ? 200 : 201]);
    }
  });

  it('decide about each object of a deletecollection', async () => {
    for (const name of ['one', 'two', 'three']) await send(name, { labels: { set: 'gone' } });
    const names: string[] = [];
    await register('validating', 'each', ({ name }) => {
      names.push(String(name));
      return { allowed: true };
    });
    const { status } = await service.http.send('DELETE', `${MAPS}?labelSelector=set=gone`);
    expect([status, names.toSorted()]).toEqual([200, ['one', 'three', 'two']]);
    expect((await service.http.get(`${MAPS}?labelSelector=set=gone`)).items).toEqual([]);
  });

  it('take part in a dry run that has no side effects for them', async () => {
    await register('validating', 'effects', () => ({ allowed: true }), { sideEffects: 'NoneOnDryRun' });
    const dry = await service.http.send('POST', `${MAPS}?dryRun=All`, { body: map('dry') });
    expect(dry.status).toBe(201);
    const [{ body } = { body: '{}' }] = server.received.filter(({ url }) => url.startsWith('/effects?'));
    expect(JSON.parse(body).request).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  it('never see the objects that register webhooks', async () => {
    await register('validating', 'all', () => ({ allowed: false }), {
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    });
    expect((await send('denied')).status).toBe(400);
    const { status } = await service.http.send('DELETE', `${ROOT}/validatingwebhookconfigurations/all`);
    expect(status).toBe(200);
    expect((await send('denied')).status).toBe(201);
  });

  it('see a name that the server generated', async () => {
    await register('validating', 'named', () => ({ allowed: true }));
    const { body } = await service.http.post(MAPS, { metadata: { generateName: 'made-' }, data: {} });
    const [{ body: sent } = { body: '{}' }] = server.received.filter(({ url }) => url.startsWith('/named?'));
    expect(JSON.parse(sent).request.name).toBe(body.metadata.name);
  });
});

describe('a write that webhooks decided', () => {
  it('is stored as they saw it, with the addresses that Winnow chose', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }];
    const seen: JsonObject[] = [];
    const decide: Decide = ({ object }) => {
      seen.push(objectAt(objectAt(object).spec));
      return { allowed: true };
    };
    await register('validating', 'address', decide, { rules });
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const path = '/api/v1/namespaces/default/services';
    const { body } = await service.http.post(path, { metadata: { name: 'addressed' }, spec });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ clusterIP: expect.stringMatching(/^10\./) });
    expect(body.spec).toEqual(seen[0]);
  });

  it('has the warnings of a webhook that denies it', async () => {
    await register('validating', 'warn', () => ({ allowed: false, warnings: ['the image is old'] }));
    const { status, headers } = await send('warned');
    expect([status, headers.get('warning')]).toEqual([400, '299 - "the image is old"']);
  });

  it('keeps its field managers, whatever a webhook makes of them', async () => {
    await register('mutating', 'managers', () =>
      patching({ op: 'add', path: '/metadata/managedFields', value: [{ manager: 'x', fieldsV1: 'y' }] }),
    );
    const { body } = await service.http.post(`${MAPS}?fieldManager=me`, map('managed'));
    const { body: shown } = await service.http.get(`${MAPS}/managed`);
    expect(body.metadata.name).toBe('managed');
    expect(shown.metadata.managedFields).toMatchObject([{ manager: 'me', operation: 'Update' }]);
  });
});

describe('mutating webhooks', () => {
  it('change an object before it is validated and stored', async () => {
    await register('mutating', 'label', () =>
      patching({ op: 'add', path: '/metadata/labels', value: { by: 'webhook' } }),
    );
    const { body } = await send('labelled');
    expect(body.metadata.labels).toEqual({ by: 'webhook' });
    expect((await service.http.get(`${MAPS}?labelSelector=by=webhook`)).items).toHaveLength(1);
  });

  it('fill in what makes an object valid', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }];
    await register(
      'mutating',
      'ports',
      () => patching({ op: 'add', path: '/spec/ports', value: [{ port: 80 }] }),
      {
        rules,
      },
    );
    const { status, body } = await service.http.send('POST', '/api/v1/namespaces/default/services', {
      body: { metadata: { name: 'filled' }, spec: {} },
    });
    expect([status, body.spec]).toMatchObject([
      201,
      { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
    ]);
  });

  it('do not change who has asked for a certificate', async () => {
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const rules = [
      {
        apiGroups: ['certificates.k8s.io'],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['certificatesigningrequests'],
      },
    ];
    await register(
      'mutating',
      'forge',
      () =>
        patching(
          { op: 'replace', path: '/spec/username', value: 'system:admin' },
          { op: 'replace', path: '/spec/groups', value: ['system:masters', 'forged'] },
          { op: 'add', path: '/metadata/labels', value: { by: 'webhook' } },
        ),
      { rules },
    );
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n';
    const spec = { request: btoa(pem), signerName: 'example.com/s', usages: ['client auth'] };
    const { body } = await service.http.send('POST', requests, {
      body: { metadata: { name: 'forged' }, spec },
    });
    const { username, groups } = objectAt(body.spec);
    expect([
      body.metadata.labels,
      username === 'system:admin',
      JSON.stringify(groups).includes('forged'),
    ]).toEqual([{ by: 'webhook' }, false, false]);
  });

  it('fail a write whose object they make invalid', async () => {
    await register('mutating', 'break', () =>
      patching({ op: 'add', path: '/metadata/labels', value: { 'a b': '' } }),
    );
    const { status, message } = await send('broken');
    expect([status, message]).toEqual([422, expect.stringContaining('metadata.labels')]);
  });

  it('change an update once, and the stored object stays what they made of it', async () => {
    await send('updated');
    await register('mutating', 'update', ({ object }) =>
      patching({ op: 'add', path: '/data', value: { ...objectAt(objectAt(object).data), seen: 'yes' } }),
    );
    const patch = { body: { data: { b: '2' } }, type: 'application/merge-patch+json' };
    const { body } = await service.http.ask('PATCH', `${MAPS}/updated`, patch);
    expect(body.data).toEqual({ a: '1', b: '2', seen: 'yes' });
    expect(asked('/update')).toBe(1);
  });

  it('cannot give an existing object another name', async () => {
    await send('renamed');
    await register('mutating', 'rename', () =>
      patching({ op: 'replace', path: '/metadata/name', value: 'other' }),
    );
    const patch = { body: { data: { b: '2' } }, type: 'application/merge-patch+json' };
    const { status } = await service.http.send('PATCH', `${MAPS}/renamed`, patch);
    expect(status).toBe(400);
  });

  it('see no name that the server generates, and the object gets one', async () => {
    await register('mutating', 'generate', () => patching({ op: 'add', path: '/data', value: { b: '2' } }));
    const { body } = await service.http.post(MAPS, { metadata: { generateName: 'made-' }, data: {} });
    expect([body.metadata.name, body.data]).toEqual([expect.stringMatching(/^made-.{5}$/), { b: '2' }]);
    const [{ body: sent } = { body: '{}' }] = server.received.filter(({ url }) =>
      url.startsWith('/generate?'),
    );
    expect(JSON.parse(sent).request.name).toBeUndefined();
  });

  it('give a fixed name instead of a generated one, which is refused at once if it is taken', async () => {
    await register('mutating', 'fix', () =>
      patching({ op: 'add', path: '/metadata/name', value: 'always-this' }),
    );
    const create = () => service.http.send('POST', MAPS, { body: { metadata: { generateName: 'made-' } } });
    expect((await create()).body.metadata.name).toBe('always-this');
    const { status, body } = await create();
    expect([status, body.reason]).toEqual([409, 'AlreadyExists']);
    expect(server.received.filter(({ url }) => url.startsWith('/fix?'))).toHaveLength(2);
  });
});

describe('webhook configurations', () => {
  it('name only places that the operator permits', async () => {
    const webhook = {
      name: 'a.example.com',
      clientConfig: { service: { namespace: 'shop', name: 'guard' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const { status, message } = await service.http.send('POST', `${ROOT}/validatingwebhookconfigurations`, {
      body: { metadata: { name: 'elsewhere' }, webhooks: [webhook] },
    });
    expect(status).toBe(422);
    expect(message).toContain(
      'webhooks[0].clientConfig.service: Forbidden: Winnow calls no Service; start it with --webhooks=services to call Service shop/guard',
    );
  });
});
