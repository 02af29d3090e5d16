import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppsV1Api, BatchV1Api, CoreV1Api, type V1OwnerReference } from '@kubernetes/client-node';
import { eventually } from '../../support/eventually.ts';
import { type Connection, connect } from './connect.ts';

const namespace = 'default';

let connection: Connection;
let core: CoreV1Api;
let apps: AppsV1Api;
let batch: BatchV1Api;

beforeAll(async () => {
  connection = await connect();
  core = connection.config.makeApiClient(CoreV1Api);
  apps = connection.config.makeApiClient(AppsV1Api);
  batch = connection.config.makeApiClient(BatchV1Api);
});

afterAll(() => connection.stop());

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'a:1' }] },
};

/** Creates a ReplicaSet and a pod that it owns, as its controller would. */
async function createSet(name: string): Promise<void> {
  const spec = { selector: { matchLabels: { app: 'web' } }, template };
  const { metadata } = await apps.createNamespacedReplicaSet({
    namespace,
    body: { metadata: { name }, spec },
  });
  const owner: V1OwnerReference = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name,
    uid: metadata?.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
  const pod = { metadata: { name: `${name}-1`, ownerReferences: [owner] }, spec: template.spec };
  await core.createNamespacedPod({ namespace, body: pod });
}

const pods = async () =>
  (await core.listNamespacedPod({ namespace })).items.map(({ metadata }) => metadata?.name);
const sets = async () =>
  (await apps.listNamespacedReplicaSet({ namespace })).items.map(({ metadata }) => metadata?.name);

const untilEqual = (found: () => Promise<unknown>, wanted: unknown) =>
  eventually(JSON.stringify(wanted), async () => JSON.stringify(await found()) === JSON.stringify(wanted));

describe('a deletion by the typed client', () => {
  it('a background deletion of a ReplicaSet deletes its pods, also without subscriptions', async () => {
    await createSet('background');
    await apps.deleteNamespacedReplicaSet({ namespace, name: 'background' });
    expect(await sets()).toEqual([]);
    await untilEqual(pods, []);
  });

  it('a foreground deletion of a ReplicaSet deletes its pods first', async () => {
    await createSet('foreground');
    const propagationPolicy = 'Foreground';
    await apps.deleteNamespacedReplicaSet({
      namespace,
      name: 'foreground',
      propagationPolicy,
    });
    await untilEqual(sets, []);
    expect(await pods()).toEqual([]);
  });

  it('an orphaning deletion of a ReplicaSet keeps its pods', async () => {
    await createSet('orphaning');
    const propagationPolicy = 'Orphan';
    await apps.deleteNamespacedReplicaSet({ namespace, name: 'orphaning', propagationPolicy });
    await untilEqual(sets, []);
    const left = await core.readNamespacedPod({ namespace, name: 'orphaning-1' });
    expect(left.metadata?.ownerReferences).toBeUndefined();
    await core.deleteNamespacedPod({ namespace, name: 'orphaning-1' });
  });
});

describe('a finished Job with a ttl', () => {
  it('a finished Job is deleted when its ttl has expired, and not before', async () => {
    const spec = {
      ttlSecondsAfterFinished: 0,
      template: { spec: { ...template.spec, restartPolicy: 'Never' } },
    };
    await batch.createNamespacedJob({ namespace, body: { metadata: { name: 'done' }, spec } });
    const lasting = { ...spec, ttlSecondsAfterFinished: 3_600 };
    await batch.createNamespacedJob({ namespace, body: { metadata: { name: 'lasting' }, spec: lasting } });
    for (const name of ['done', 'lasting']) {
      const job = await batch.readNamespacedJob({ namespace, name });
      const lastTransitionTime = new Date();
      const finished = { type: 'Complete', status: 'True', lastTransitionTime };
      const suspended = { ...finished, type: 'SuccessCriteriaMet' };
      job.status = {
        ...job.status,
        startTime: lastTransitionTime,
        completionTime: lastTransitionTime,
        conditions: [suspended, finished],
      };
      await batch.replaceNamespacedJobStatus({ namespace, name, body: job });
    }
    const jobs = async () =>
      (await batch.listNamespacedJob({ namespace })).items.map(({ metadata }) => metadata?.name);
    await untilEqual(jobs, ['lasting']);
  });
});
