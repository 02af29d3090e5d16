import { isDeepStrictEqual } from 'node:util';
import { fromLabels } from '../../selectors/index.ts';
import { claimed } from './claimed.ts';
import { conditionAt, withCondition, withoutCondition } from './conditions.ts';
import { count, type DerivedStatus, derivedStatus, type Inputs, statusWith } from './derived-status.ts';
import type { Condition, PodTemplate, Workload } from './objects.ts';
import { countPods, isActive } from './pods.ts';
import { type RolloutCounts, rolloutProgress } from './rollout-progress.ts';

/** The label that distinguishes the pods of a Deployment's ReplicaSets. */
const HASH_LABEL = 'pod-template-hash';

/** Kubernetes' default for `maxSurge` and `maxUnavailable`. */
const QUARTER = '25%';

/** The pod counts of a Deployment. */
interface Counted extends RolloutCounts {
  readonly unavailable: number;
  readonly newest: Workload | undefined;
  readonly failures: readonly Condition[];
  /** The time at which the next pod becomes available, in ms since the epoch. */
  readonly next?: number;
}

const AVAILABLE = 'Available';
const FAILURE = 'ReplicaFailure';

/**
 * Returns the status of a Deployment: the sum of its ReplicaSets' statuses. If it has no ReplicaSets, because no
 * controller creates them, its own pods are counted. Pods with the labels of its template are then up to date.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status
 */
export function deploymentStatus(deployment: Workload, inputs: Inputs, now: number): DerivedStatus {
  const sets = claimed(deployment, inputs.replicaSets);
  const counted = sets.length > 0 ? ofReplicaSets(deployment, sets) : ofPods(deployment, inputs, now);
  const { newest } = counted;
  const available = withCondition(
    deployment.status?.conditions ?? [],
    availability(deployment, counted, now),
  );
  const progress = rolloutProgress({ deployment, counts: counted, newest, now }, available);
  const conditions = counted.failures.reduce(
    withCondition,
    counted.failures.length > 0 ? progress.conditions : withoutCondition(progress.conditions, FAILURE),
  );
  const status = statusWith(deployment.status, {
    observedGeneration: deployment.metadata.generation,
    replicas: count(counted.replicas),
    updatedReplicas: count(counted.updated),
    readyReplicas: count(counted.ready),
    availableReplicas: count(counted.available),
    unavailableReplicas: count(counted.unavailable),
    conditions,
  });
  const times = [progress.next, counted.next].filter((time) => time !== undefined);
  return derivedStatus(status, times.length === 0 ? undefined : Math.min(...times));
}

function ofReplicaSets(deployment: Workload, sets: readonly Workload[]): Counted {
  const newest = newestOf(deployment, sets);
  const sum = (read: (set: Workload) => number | null | undefined) =>
    sets.reduce((total, set) => total + (read(set) ?? 0), 0);
  const available = sum(({ status }) => status?.availableReplicas);
  const wanted = sum(({ spec }) => spec.replicas ?? 1);
  const failuresOf = (set: Workload) => (set.status?.conditions ?? []).filter(({ type }) => type === FAILURE);
  const own = newest === undefined ? [] : failuresOf(newest);
  return {
    replicas: sum(({ status }) => status?.replicas),
    updated: newest?.status?.replicas ?? 0,
    ready: sum(({ status }) => status?.readyReplicas),
    available,
    unavailable: Math.max(0, wanted - available),
    newest,
    failures: (own.length > 0 ? own : sets.flatMap(failuresOf)).slice(0, 1),
  };
}

/** Returns the oldest ReplicaSet with the Deployment's template. */
function newestOf({ spec }: Workload, sets: readonly Workload[]): Workload | undefined {
  const [oldest] = sets
    .filter((set) => isSameTemplate(set.spec.template, spec.template))
    .sort((one, other) => compareText(ageOf(one), ageOf(other)));
  return oldest;
}

function ageOf({ metadata }: Workload): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function ofPods(deployment: Workload, { pods }: Inputs, now: number): Counted {
  const { template, replicas, minReadySeconds = 0 } = deployment.spec;
  const active = claimed(deployment, pods.filter(isActive));
  const labels = fromLabels(template?.metadata?.labels);
  const { ready, available, next } = countPods(active, minReadySeconds, now);
  return {
    replicas: active.length,
    updated: active.filter((pod) => labels.matches(pod.metadata.labels ?? {})).length,
    ready,
    available,
    unavailable: Math.max(0, (replicas ?? 1) - available),
    newest: undefined,
    failures: [],
    ...(next !== undefined && { next }),
  };
}

function availability(deployment: Workload, { available }: Counted, now: number): Condition {
  const isEnough = available >= (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  return conditionAt(
    {
      type: AVAILABLE,
      status: isEnough ? 'True' : 'False',
      reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
      message: isEnough
        ? 'Deployment has minimum availability.'
        : 'Deployment does not have minimum availability.',
    },
    now,
  );
}

/** Returns the number of replicas that may be unavailable while the Deployment counts as available. */
function maxUnavailable({ spec }: Workload): number {
  const { strategy } = spec;
  const replicas = spec.replicas ?? 1;
  if ((strategy?.type ?? 'RollingUpdate') !== 'RollingUpdate' || replicas === 0) return 0;
  const { maxSurge, maxUnavailable: given } = strategy?.rollingUpdate ?? {};
  const surge = amountOf(maxSurge ?? QUARTER, replicas, Math.ceil);
  const unavailable = amountOf(given ?? QUARTER, replicas, Math.floor);
  // If both bounds are zero, one replica may be unavailable.
  return Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas);
}

function amountOf(value: number | string, of: number, round: (amount: number) => number): number {
  if (typeof value === 'number') return value;
  const share = Number(/^(\d+)%$/.exec(value)?.[1] ?? 0);
  return round((share * of) / 100);
}

/** Whether a ReplicaSet has a Deployment's template. The label that distinguishes ReplicaSets is ignored. */
function isSameTemplate(one: PodTemplate | null | undefined, other: PodTemplate | null | undefined): boolean {
  return isDeepStrictEqual(withoutHash(one), withoutHash(other));
}

function withoutHash(template: PodTemplate | null | undefined): unknown {
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
