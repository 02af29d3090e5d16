import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApiException,
  AppsV1Api,
  type ConfigurationOptions,
  CoreV1Api,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { eventually } from '../../support/eventually.ts';
import { type Connection, connect } from './connect.ts';

const namespace = 'default';

let connection: Connection;
let core: CoreV1Api;

beforeAll(async () => {
  connection = await connect();
  core = connection.config.makeApiClient(CoreV1Api);
});

afterAll(() => connection.stop());

const names = ({ items }: { items: readonly { metadata?: { name?: string } }[] }) =>
  items.map(({ metadata }) => metadata?.name);

const as = (strategy: string): ConfigurationOptions => setHeaderOptions('Content-Type', strategy);

/** The code and reason of the refusal of a request. */
async function refusal(request: Promise<unknown>): Promise<object> {
  const error = await request.then(
    () => undefined,
    (thrown: { code: number; body: string | { reason: string } }) => thrown,
  );
  if (error === undefined) throw new Error('was not refused');
  const { reason } = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
  return { code: error.code, reason };
}

describe('the typed API of client-node', () => {
  it('the typed API creates an object from a body without apiVersion and kind', async () => {
    for (const [name, tier] of [
      ['one', 'web'],
      ['two', 'web'],
      ['three', 'cache'],
    ] as const) {
      const body = {
        metadata: { name, labels: { tier } },
        spec: { containers: [{ name: 'main', image: 'a:1' }] },
      };
      const created = await core.createNamespacedPod({ namespace, body });
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } });
      expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    }
  });

  it('the typed API lists with selectors', async () => {
    expect(names(await core.listNamespacedPod({ namespace, labelSelector: 'tier in (web)' }))).toEqual([
      'one',
      'two',
    ]);
    expect(names(await core.listPodForAllNamespaces({ labelSelector: '!tier' }))).toEqual([]);
    const fields = { fieldSelector: 'metadata.name=three' };
    expect(names(await core.listNamespacedPod({ namespace, ...fields }))).toEqual(['three']);
  });

  it('the typed API lists page by page', async () => {
    const first = await core.listNamespacedPod({ namespace, limit: 2 });
    expect(names(first)).toEqual(['one', 'three']);
    const rest = await core.listNamespacedPod({ namespace, limit: 2, _continue: first.metadata?._continue });
    expect(names(rest)).toEqual(['two']);
    expect(rest.metadata?.resourceVersion).toBe(first.metadata?.resourceVersion);
  });

  it('the typed API replaces an object that it read, but not one that changed since', async () => {
    const body = await core.readNamespacedPod({ namespace, name: 'one' });
    body.metadata = { ...body.metadata, labels: { tier: 'web', seen: 'yes' } };
    const replaced = await core.replaceNamespacedPod({ namespace, name: 'one', body });
    expect(replaced.metadata?.labels).toEqual({ tier: 'web', seen: 'yes' });
    expect(replaced.metadata?.creationTimestamp).toEqual(body.metadata.creationTimestamp);
    const again = core.replaceNamespacedPod({ namespace, name: 'one', body });
    expect(await refusal(again)).toEqual({ code: 409, reason: 'Conflict' });
  });

  it('the typed API sends JSON, merge and strategic merge patches', async () => {
    const pod = { namespace, name: 'one' };
    const operations = [{ op: 'add', path: '/metadata/labels/way', value: 'json' }];
    const json = await core.patchNamespacedPod({ ...pod, body: operations });
    expect(json.metadata?.labels?.way).toBe('json');
    const merge = { metadata: { labels: { way: 'merge', seen: null } } };
    const merged = await core.patchNamespacedPod({ ...pod, body: merge }, as(PatchStrategy.MergePatch));
    expect(merged.metadata?.labels).toEqual({ tier: 'web', way: 'merge' });
    const strategic = { spec: { tolerations: [{ key: 'side', operator: 'Exists' }] } };
    const both = await core.patchNamespacedPod(
      { ...pod, body: strategic },
      as(PatchStrategy.StrategicMergePatch),
    );
    expect(both.spec?.tolerations?.map(({ key }) => key)).toContain('side');
  });

  it('the typed API writes the status', async () => {
    const body = { status: { phase: 'Running' } };
    const pod = await core.patchNamespacedPodStatus(
      { namespace, name: 'two', body },
      as(PatchStrategy.MergePatch),
    );
    expect(pod.status?.phase).toBe('Running');
    expect(names(await core.listNamespacedPod({ namespace, fieldSelector: 'status.phase=Running' }))).toEqual(
      ['two'],
    );
  });

  it('the typed API uses other groups', async () => {
    const apps = connection.config.makeApiClient(AppsV1Api);
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'a:1' }] },
    };
    const spec = { selector: { matchLabels: { app: 'web' } }, template };
    await apps.createNamespacedDeployment({ namespace, body: { metadata: { name: 'web' }, spec } });
    expect(names(await apps.listNamespacedDeployment({ namespace }))).toEqual(['web']);
  });

  it('the typed API deletes an object and a selected collection', async () => {
    await core.deleteNamespacedPod({ namespace, name: 'three' });
    expect(await refusal(core.readNamespacedPod({ namespace, name: 'three' }))).toEqual({
      code: 404,
      reason: 'NotFound',
    });
    await core.deleteCollectionNamespacedPod({ namespace, labelSelector: 'tier=web' });
    expect(names(await core.listNamespacedPod({ namespace }))).toEqual([]);
  });

  it('the typed API gets a Status for an invalid request', async () => {
    const body = { metadata: { name: 'bad', labels: { tier: 'not valid' } } };
    expect(await refusal(core.createNamespacedConfigMap({ namespace, body }))).toEqual({
      code: 422,
      reason: 'Invalid',
    });
    const list = core.listNamespacedPod({ namespace, labelSelector: 'a in b' });
    expect(await refusal(list)).toEqual({ code: 400, reason: 'BadRequest' });
  });
});

describe('KubernetesObjectApi', () => {
  const subscription = {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { name: 'frontends', namespace },
    spec: { resource: { group: '', resource: 'pods' }, labelSelector: 'tier=web' },
  };

  it('KubernetesObjectApi creates, reads, lists, patches, replaces and deletes Subscriptions', async () => {
    const objects = KubernetesObjectApi.makeApiClient(connection.config);
    const created = await objects.create(subscription);
    expect(created).toMatchObject({ spec: { ...subscription.spec, queue: { type: 'FIFO' }, start: 'now' } });
    const { apiVersion, kind } = subscription;
    expect(names(await objects.list(apiVersion, kind, namespace))).toEqual(['frontends']);
    const patch = { ...subscription, spec: { labelSelector: 'tier=cache' } };
    const patched = await objects.patch(
      ...([patch, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch] as const),
    );
    expect(patched).toMatchObject({ spec: { labelSelector: 'tier=cache', resource: { resource: 'pods' } } });
    // The status is written concurrently, so that a replace may get a 409. The test then reads again, as clients do.
    const replaced = await eventually('the Subscription is replaced', async () => {
      const read = (await objects.read(subscription)) as typeof subscription;
      const wanted = { ...read, spec: { ...read.spec, labelSelector: 'tier' } };
      const answer = await objects.replace(wanted).catch((error: ApiException<unknown>) => error);
      if (answer instanceof ApiException && answer.code !== 409) throw answer;
      return !(answer instanceof ApiException) && answer;
    });
    expect(replaced).toMatchObject({ spec: { labelSelector: 'tier' } });
    await objects.delete(subscription);
  });

  it('KubernetesObjectApi gets a 415 for a strategic merge patch, its default, of a custom type', async () => {
    const objects = KubernetesObjectApi.makeApiClient(connection.config);
    const other = { ...subscription, metadata: { name: 'other', namespace } };
    await objects.create(other);
    expect(await refusal(objects.patch(other))).toEqual({ code: 415, reason: 'UnsupportedMediaType' });
  });

  it('KubernetesObjectApi works on built-in types', async () => {
    const objects = KubernetesObjectApi.makeApiClient(connection.config);
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'colors', namespace },
      data: { sky: 'blue' },
    };
    await objects.create(map);
    expect(await objects.patch({ ...map, data: { sea: 'green' } })).toMatchObject({
      data: { sky: 'blue', sea: 'green' },
    });
  });
});
