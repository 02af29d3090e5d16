import { expect, test } from '@jest/globals';
import {
  deriveStatus,
  type Inputs,
  type Node,
  type Pod,
  type Workload,
} from '../../../../lib/kubernetes/derived/index.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: {} };
const NOTHING: Inputs = { pods: [], replicaSets: [], nodes: [] };
const at = (seconds: number) => `${new Date(START + seconds * 1_000).toISOString().slice(0, 19)}Z`;

interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
  /** The time at which the pod became ready, in seconds after the start. False: the pod is not ready. */
  readonly ready?: number | false;
  readonly controller?: string;
  readonly node?: string;
  readonly leaves?: boolean;
}

function pod(name: string, options: PodOptions = {}): Pod {
  const { labels = { app: 'web' }, phase = 'Running', ready = 0, controller, node, leaves = false } = options;
  return {
    metadata: {
      name,
      labels,
      creationTimestamp: at(0),
      ...(controller && { ownerReferences: [{ uid: controller, controller: true }] }),
      ...(leaves && { deletionTimestamp: at(1) }),
    },
    spec: { ...(node && { nodeName: node }) },
    status: {
      phase,
      conditions: [
        { type: 'Ready', status: ready === false ? 'False' : 'True', lastTransitionTime: at(ready || 0) },
      ],
    },
  };
}

function workload(kind: string, spec: Partial<Workload['spec']>, rest: Partial<Workload> = {}): Workload {
  return {
    kind,
    metadata: { name: 'web', uid: 'uid-web', generation: 1 },
    spec: { selector: { matchLabels: { app: 'web' } }, template: TEMPLATE, ...spec },
    ...rest,
  };
}

const derive = (one: Workload, inputs: Partial<Inputs>, seconds = 0) =>
  deriveStatus(one, { ...NOTHING, ...inputs }, START + seconds * 1_000);

/** The workload with the status that `derive` returned. */
function after(one: Workload, inputs: Partial<Inputs>, seconds = 0): Workload {
  return { ...one, status: derive(one, inputs, seconds)?.status ?? null };
}

const reasonOf = (status: Workload['status'], type: string) =>
  status?.conditions?.find((condition) => condition.type === type)?.reason;

test('a ReplicaSet counts the active pods that it selects and that have no other controller', () => {
  const set = workload('ReplicaSet', { template: { metadata: { labels: { app: 'web', tier: 'a' } } } });
  const pods = [
    pod('mine', { controller: 'uid-web', labels: { app: 'web', tier: 'a' } }),
    pod('orphan', { ready: false }),
    pod('theirs', { controller: 'uid-other' }),
    pod('other', { labels: { app: 'db' } }),
    pod('over', { phase: 'Succeeded' }),
    pod('failed', { phase: 'Failed' }),
    pod('leaving', { leaves: true }),
  ];
  expect(derive(set, { pods })).toEqual({
    status: {
      replicas: 2,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 1,
    },
  });
});

test('a count that falls to zero is removed from the status, and fields that are not derived stay', () => {
  const conditions = [{ type: 'ReplicaFailure', status: 'True' }];
  const set = { ...workload('ReplicaSet', {}), status: { readyReplicas: 3, conditions } };
  expect(derive(set, {})?.status).toEqual({ replicas: 0, observedGeneration: 1, conditions });
});

test('a pod is available after minReadySeconds of readiness, and derive returns the next time to check', () => {
  const set = workload('ReplicaSet', { minReadySeconds: 10 });
  const pods = [pod('early', { ready: 0 }), pod('late', { ready: 5 }), pod('not', { ready: false })];
  expect(derive(set, { pods }, 10)).toMatchObject({ next: START + 10_001 });
  expect(derive(set, { pods }, 10)?.status).not.toHaveProperty('availableReplicas');
  expect(derive(set, { pods }, 11)).toMatchObject({ status: { availableReplicas: 1 }, next: START + 15_001 });
  expect(derive(set, { pods }, 16)?.status).toMatchObject({ availableReplicas: 2 });
  expect(derive(set, { pods }, 16)).not.toHaveProperty('next');
});

test('a ReplicationController without a selector counts pods with the labels of its template', () => {
  const controller = workload('ReplicationController', { selector: undefined });
  expect(derive(controller, { pods: [pod('a')] })?.status).toMatchObject({ replicas: 1 });
  const map = workload('ReplicationController', { selector: { app: 'db' } });
  expect(derive(map, { pods: [pod('a')] })?.status).toMatchObject({ replicas: 0 });
});

function replicaSet(name: string, replicas: number, image: string, ready = replicas): Workload {
  return {
    kind: 'ReplicaSet',
    metadata: { name, labels: { app: 'web' }, creationTimestamp: at(0) },
    spec: { replicas, template: templateOf(image, name) },
    status: { replicas, readyReplicas: ready, availableReplicas: ready },
  };
}

function templateOf(image: string, hash?: string) {
  const labels = { app: 'web', ...(hash && { 'pod-template-hash': hash }) };
  return { metadata: { labels }, spec: { containers: [{ image }] } as object };
}

test('a Deployment adds up its ReplicaSets; the pods of the one with its template count as updated', () => {
  const deployment = workload('Deployment', { replicas: 3, template: templateOf('2') });
  const sets = [replicaSet('old', 2, '1'), replicaSet('new', 2, '2', 1)];
  expect(derive(deployment, { replicaSets: sets })?.status).toMatchObject({
    observedGeneration: 1,
    replicas: 4,
    updatedReplicas: 2,
    readyReplicas: 3,
    availableReplicas: 3,
    unavailableReplicas: 1,
  });
});

test('A Deployment without ReplicaSets counts its own pods', () => {
  const deployment = workload('Deployment', { replicas: 2, progressDeadlineSeconds: 600 });
  const one = after(deployment, { pods: [pod('a')] });
  expect(one.status).toMatchObject({ replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 });
  expect(reasonOf(one.status, 'Available')).toBe('MinimumReplicasUnavailable');
  const two = after(one, { pods: [pod('a'), pod('b')] });
  expect(reasonOf(two.status, 'Available')).toBe('MinimumReplicasAvailable');
  expect(reasonOf(two.status, 'Progressing')).toBe('NewReplicaSetAvailable');
});

test.each([
  [10, { maxUnavailable: '25%' }, 8, true],
  [10, { maxUnavailable: '25%' }, 7, false],
  [3, { maxUnavailable: '10%', maxSurge: 1 }, 2, false],
  [3, { maxUnavailable: 0, maxSurge: 0 }, 2, true],
  [1, { maxUnavailable: 5 }, 0, true],
])('a Deployment of %p with %p is available with %p: %p', (replicas, rollingUpdate, available, isEnough) => {
  const strategy = { type: 'RollingUpdate', rollingUpdate };
  const deployment = workload('Deployment', { replicas, strategy, template: templateOf('1') });
  const { status } = after(deployment, { replicaSets: [replicaSet('new', replicas, '1', available)] });
  const reason = isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable';
  expect(reasonOf(status, 'Available')).toBe(reason);
});

test('a Deployment with the strategy Recreate is available only with all replicas', () => {
  const deployment = workload('Deployment', { replicas: 4, strategy: { type: 'Recreate' } });
  const { status } = after(deployment, { replicaSets: [replicaSet('new', 4, '1', 3)] });
  expect(reasonOf(status, 'Available')).toBe('MinimumReplicasUnavailable');
});

test('a rollout progresses and ends, and an edit starts a new one', () => {
  const spec = { replicas: 2, progressDeadlineSeconds: 60, template: templateOf('1') };
  const found = after(workload('Deployment', spec), { replicaSets: [replicaSet('one', 0, '1')] });
  expect(found.status?.conditions?.at(-1)).toMatchObject({
    type: 'Progressing',
    status: 'True',
    reason: 'FoundNewReplicaSet',
    message: 'Found new replica set "one"',
    lastUpdateTime: at(0),
  });
  const going = after(found, { replicaSets: [replicaSet('one', 1, '1')] }, 5);
  expect(going.status?.conditions?.at(-1)).toMatchObject({
    reason: 'ReplicaSetUpdated',
    message: 'ReplicaSet "one" is progressing.',
    lastUpdateTime: at(5),
    lastTransitionTime: at(0),
  });
  const done = after(going, { replicaSets: [replicaSet('one', 2, '1')] }, 6);
  expect(done.status?.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
    reason: 'NewReplicaSetAvailable',
    message: 'ReplicaSet "one" has successfully progressed.',
    lastTransitionTime: at(0),
  });
  expect(derive(done, { replicaSets: [replicaSet('one', 2, '1')] }, 500)?.status).toEqual(done.status);
  const edited = {
    ...done,
    metadata: { ...done.metadata, generation: 2 },
    spec: { ...done.spec, template: templateOf('2') },
  };
  const begun = after(edited, { replicaSets: [replicaSet('one', 2, '1')] }, 600);
  expect(reasonOf(begun.status, 'Progressing')).toBe('ReplicaSetUpdated');
});

test('a rollout without progress times out at its deadline, and derive returns that time', () => {
  const deployment = workload('Deployment', {
    replicas: 2,
    progressDeadlineSeconds: 60,
    template: templateOf('1'),
  });
  const replicaSets = [replicaSet('one', 1, '1')];
  const first = after(deployment, { replicaSets });
  expect(derive(first, { replicaSets }, 60)).toEqual({ status: first.status, next: START + 60_001 });
  const late = after(first, { replicaSets }, 61);
  expect(late.status?.conditions?.at(-1)).toMatchObject({
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: 'ReplicaSet "one" has timed out progressing.',
    lastTransitionTime: at(61),
  });
  expect(derive(late, { replicaSets }, 900)).toEqual({ status: late.status });
});

test('the Progressing condition of a Deployment reports that it is paused, and later resumed', () => {
  const spec = { replicas: 2, progressDeadlineSeconds: 60, template: templateOf('1') };
  const paused = after(workload('Deployment', { ...spec, paused: true }), {});
  expect(reasonOf(paused.status, 'Progressing')).toBe('DeploymentPaused');
  const resumed = after({ ...paused, spec }, {}, 5);
  expect(resumed.status?.conditions?.at(-1)).toMatchObject({
    status: 'Unknown',
    reason: 'DeploymentResumed',
  });
});

test('a Deployment without a progress deadline has no Progressing condition', () => {
  const conditions = [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }];
  const deployment = {
    ...workload('Deployment', { progressDeadlineSeconds: 2_147_483_647 }),
    status: { conditions },
  };
  expect(reasonOf(after(deployment, {}).status, 'Progressing')).toBeUndefined();
});

test('a Deployment copies the ReplicaFailure condition of its ReplicaSet', () => {
  const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' };
  const deployment = workload('Deployment', { replicas: 1, template: templateOf('1') });
  const set = replicaSet('one', 1, '1');
  const failing = { ...set, status: { ...set.status, conditions: [failure] } };
  const told = after(deployment, { replicaSets: [failing] });
  expect(told.status?.conditions).toContainEqual(failure);
  expect(reasonOf(after(told, { replicaSets: [set] }).status, 'ReplicaFailure')).toBeUndefined();
});

test('a StatefulSet counts pods by their names, and moves currentRevision when all pods are updated', () => {
  const set = workload('StatefulSet', { replicas: 2 });
  const pods = [pod('web-0'), pod('web-1', { ready: false }), pod('web-x'), pod('web-0-1')];
  const begun = after(set, { pods });
  const revision = begun.status?.updateRevision;
  expect(begun.status).toMatchObject({
    observedGeneration: 1,
    replicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    updatedReplicas: 2,
    currentRevision: revision,
  });
  const edited = { ...begun, spec: { ...begun.spec, template: templateOf('2') } };
  const old = { app: 'web', 'controller-revision-hash': String(revision) };
  const rolling = after(edited, { pods: [pod('web-0', { labels: old }), pod('web-1')] });
  expect(rolling.status).toMatchObject({ currentRevision: revision, currentReplicas: 1, updatedReplicas: 1 });
  const done = after(rolling, { pods: [pod('web-0'), pod('web-1')] });
  expect(done.status).toMatchObject({ currentRevision: done.status?.updateRevision, currentReplicas: 2 });
  expect(done.status?.updateRevision).not.toBe(revision);
});

function node(name: string, taints: NonNullable<Node['spec']>['taints'] = []): Node {
  return { metadata: { name, labels: { zone: name.slice(0, 1) } }, spec: { taints: taints ?? [] } };
}

test('a DaemonSet counts the nodes that should run its pod, and the nodes that run it wrongly', () => {
  const set = workload('DaemonSet', {
    template: {
      ...TEMPLATE,
      spec: { nodeSelector: { zone: 'a' }, tolerations: [{ key: 'own', operator: 'Exists' }] },
    },
  });
  const nodes = [
    node('a1'),
    node('a2', [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]),
    node('a3', [{ key: 'own', effect: 'NoSchedule' }]),
    node('a4', [{ key: 'gpu', effect: 'NoSchedule' }]),
    node('a5', [{ key: 'gpu', effect: 'PreferNoSchedule' }]),
    node('b1'),
  ];
  const pods = [
    pod('one', { node: 'a1' }),
    pod('two', { node: 'a2', ready: false }),
    pod('old', { node: 'a3', labels: { app: 'web', 'controller-revision-hash': 'old' } }),
    pod('astray', { node: 'b1' }),
  ];
  expect(derive(set, { nodes, pods })?.status).toEqual({
    observedGeneration: 1,
    desiredNumberScheduled: 4,
    currentNumberScheduled: 3,
    numberMisscheduled: 1,
    numberReady: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
    numberUnavailable: 2,
  });
});

test('a DaemonSet respects node affinity, and counts a pod that is not scheduled yet on the node it names', () => {
  const affinity = (name: string) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
      },
    },
  });
  const set = workload('DaemonSet', { template: { ...TEMPLATE, spec: { affinity: affinity('a2') } } });
  const waiting = { ...pod('one', { ready: false }), spec: { affinity: affinity('a2') } };
  expect(derive(set, { nodes: [node('a1'), node('a2')], pods: [waiting] })?.status).toMatchObject({
    desiredNumberScheduled: 1,
    currentNumberScheduled: 1,
    numberMisscheduled: 0,
    numberUnavailable: 1,
  });
});

test('deriveStatus returns nothing for other kinds', () => {
  expect(derive(workload('Job', {}), {})).toBeUndefined();
});
