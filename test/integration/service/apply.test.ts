import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, HttpClient } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';

let service: Service;
let http: HttpClient;

beforeAll(async () => {
  service = await startService();
  http = service.http;
});

afterAll(() => service.stop());

interface Options {
  readonly manager: string;
  readonly query?: string;
}

function apply(path: string, body: unknown, { manager, query = '' }: Options): Promise<Answer> {
  const type = 'application/apply-patch+yaml';
  return http.send('PATCH', `${path}?fieldManager=${manager}${query}`, { body, type });
}

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** The owned fields by manager, operation and subresource. */
function owners({ body }: Answer): Record<string, unknown> {
  const entries = body.metadata.managedFields as unknown as Record<string, unknown>[];
  return Object.fromEntries(
    (entries ?? []).map((entry) => {
      const { manager, operation, subresource, fieldsV1 } = entry;
      return [[manager, operation, subresource].filter(Boolean).join(' '), fieldsV1];
    }),
  );
}

describe('server-side apply', () => {
  it('an apply creates, is idempotent, conflicts, takes fields by force and removes fields', async () => {
    const path = `${CONFIG_MAPS}/shared`;
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata: {a: "1", b: "1"} # ours\n';
    const first = await apply(path, yaml, { manager: 'one' });
    expect(first.status).toBe(201);
    const again = await apply(path, yaml, { manager: 'one' });
    expect(again.body).toEqual(first.body);
    const refused = await apply(path, configMap('shared', { a: '2' }), { manager: 'two' });
    expect(refused).toMatchObject({
      status: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }],
    });
    const forced = await apply(path, configMap('shared', { a: '2' }), {
      manager: 'two',
      query: '&force=true',
    });
    expect(forced.body.data).toEqual({ a: '2', b: '1' });
    const left = await apply(path, configMap('shared', {}), { manager: 'one' });
    expect(left.body.data).toEqual({ a: '2' });
    expect(owners(left)).toEqual({
      'one Apply': { 'f:data': {} },
      'two Apply': { 'f:data': { 'f:a': {} } },
    });
  });

  it('the managers of PUT and PATCH are named by fieldManager or user agent', async () => {
    const path = `${CONFIG_MAPS}/written`;
    await http.ask('POST', CONFIG_MAPS, {
      body: configMap('written', { a: '1', b: '1' }),
      headers: { 'user-agent': 'maker/1' },
    });
    await http.ask('PUT', `${path}?fieldManager=putter`, { body: configMap('written', { a: '2', b: '1' }) });
    const patch = { body: { data: { c: '1' } }, type: 'application/merge-patch+json' };
    expect(
      owners(await http.ask('PATCH', path, { ...patch, headers: { 'user-agent': 'patcher/1' } })),
    ).toEqual({
      'maker Update': { 'f:data': { '.': {}, 'f:b': {} } },
      'patcher Update': { 'f:data': { 'f:c': {} } },
      'putter Update': { 'f:data': { 'f:a': {} } },
    });
    const forgotten = { ...patch, body: { metadata: { managedFields: [{}] } } };
    expect(owners(await http.ask('PATCH', path, forgotten))).toEqual({});
  });

  it('the managers of status, scale and object are separate', async () => {
    const path = `${DEPLOYMENTS}/web`;
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
      status: { replicas: 9 },
    };
    expect(owners(await apply(path, deployment, { manager: 'dev' }))['dev Apply']).not.toHaveProperty(
      'f:status',
    );
    const status = { ...deployment, spec: {}, status: { replicas: 1 } };
    const told = await apply(`${path}/status`, status, { manager: 'controller' });
    expect(told.body.status).toMatchObject({ replicas: 1 });
    expect(owners(told)['controller Apply status']).toEqual({ 'f:status': { 'f:replicas': {} } });
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web' },
      spec: { replicas: 3 },
    };
    const scaled = await apply(`${path}/scale`, scale, { manager: 'hpa', query: '&force=true' });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
    expect(await apply(path, deployment, { manager: 'dev' })).toMatchObject({
      status: 409,
      message: 'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale": .spec.replicas',
    });
  });

  it('ten concurrent applies create one object, in which each owns its field', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        apply(`${CONFIG_MAPS}/raced`, configMap('raced', { [`k${n}`]: 'v' }), { manager: `m${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    const { body } = await http.get(`${CONFIG_MAPS}/raced`);
    expect(Object.keys(body.data ?? {})).toHaveLength(10);
  });

  it('an apply of another kind than that of the URL is refused, and the message names the kind', async () => {
    const refused = await apply(`${SUBSCRIPTIONS}/own`, configMap('own', {}), { manager: 'one' });
    expect(refused).toMatchObject({ status: 400, message: 'invalid object type: /v1, Kind=ConfigMap' });
  });

  it('an apply without a manager, force without apply, and invalid manager names are refused', async () => {
    const body = configMap('nobody', {});
    const path = `${CONFIG_MAPS}/nobody`;
    const message =
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch';
    expect(await apply(path, body, { manager: '' })).toMatchObject({ status: 422, message });
    expect((await apply(path, body, { manager: 'a%0Ab' })).message).toContain(
      'invalid character U+000A (at position 1)',
    );
    expect((await apply(path, body, { manager: 'é'.repeat(65) })).message).toContain(
      'may not be more than 128 bytes',
    );
    const merge = { body: {}, type: 'application/merge-patch+json' };
    expect((await http.send('PATCH', `${path}?force=false`, merge)).message).toContain(
      'may not be specified for non-apply patch',
    );
  });
});
