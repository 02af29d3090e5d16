import { conditionAt, conditionOf, type Stated, withCondition, withoutCondition } from './conditions.ts';
import type { Condition, Workload } from './objects.ts';

/** The counts that show the progress of a rollout. */
export interface RolloutCounts {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

export interface Rollout {
  readonly deployment: Workload;
  readonly counts: RolloutCounts;
  /** The ReplicaSet of the current template; undefined if there is none. */
  readonly newest: Workload | undefined;
  /** The current time, in ms since the epoch. */
  readonly now: number;
}

const PROGRESSING = 'Progressing';
const COMPLETE = 'NewReplicaSetAvailable';
const UPDATED = 'ReplicaSetUpdated';
const TIMED_OUT = 'ProgressDeadlineExceeded';
const PAUSED = progressing('Unknown', 'DeploymentPaused', 'Deployment is paused');
const RESUMED = progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed');
/** Kubernetes' value for no deadline. */
const NO_DEADLINE = 2_147_483_647;

/** The new conditions of a Deployment, and the time at which its deadline passes. */
export interface Progress {
  readonly conditions: readonly Condition[];
  readonly next?: number;
}

/**
 * Returns the conditions of a Deployment with `Progressing` for the current state of its rollout. An edit after the
 * end of the last rollout restarts the deadline, as the new ReplicaSet does in Kubernetes.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status
 */
export function rolloutProgress(rollout: Rollout, conditions: readonly Condition[]): Progress {
  const { deployment, counts, now } = rollout;
  const deadline = deployment.spec.progressDeadlineSeconds ?? NO_DEADLINE;
  if (deadline === NO_DEADLINE) return { conditions: withoutCondition(conditions, PROGRESSING) };
  if (deployment.metadata.deletionTimestamp) return { conditions };
  const stood = conditionOf(conditions, PROGRESSING);
  if (deployment.spec.paused === true) {
    const told = stood?.reason === TIMED_OUT ? stood : conditionAt(PAUSED, now);
    return { conditions: withCondition(conditions, told) };
  }
  const goesOn =
    stood?.reason === PAUSED.reason ? withCondition(conditions, conditionAt(RESUMED, now)) : conditions;
  const isOver = conditionOf(goesOn, PROGRESSING)?.reason === COMPLETE && counts.replicas === counts.updated;
  if (isOver) return { conditions: goesOn };
  if (isComplete(rollout)) {
    const complete = progressing('True', COMPLETE, `${subjectOf(rollout)} has successfully progressed.`);
    return { conditions: withCondition(goesOn, conditionAt(complete, now)) };
  }
  return underWay(rollout, goesOn, deadline * 1_000);
}

function underWay(rollout: Rollout, conditions: readonly Condition[], deadline: number): Progress {
  const { now } = rollout;
  const former = conditionOf(conditions, PROGRESSING) ?? conditionAt(beginningOf(rollout), now);
  const others = withoutCondition(conditions, PROGRESSING);
  if (isGoingOn(rollout, former)) {
    const further = conditionAt(progressing('True', UPDATED, `${subjectOf(rollout)} is progressing.`), now);
    const { lastTransitionTime } = former.status === 'True' ? former : further;
    const told = { ...further, lastTransitionTime: lastTransitionTime ?? null };
    return { conditions: [...others, told], next: overAfter(told, deadline) };
  }
  const stays = [...others, former];
  if (former.reason === COMPLETE || former.reason === TIMED_OUT) return { conditions: stays };
  const over = overAfter(former, deadline);
  if (over > now) return { conditions: stays, next: over };
  const timedOut = progressing('False', TIMED_OUT, `${subjectOf(rollout)} has timed out progressing.`);
  return { conditions: withCondition(stays, conditionAt(timedOut, now)) };
}

/** Returns the first `Progressing` condition, which names the ReplicaSet if there is one. */
function beginningOf({ newest, deployment }: Rollout): Stated {
  return newest === undefined
    ? progressing('True', UPDATED, `Deployment "${deployment.metadata.name}" is progressing.`)
    : progressing('True', 'FoundNewReplicaSet', `Found new replica set "${newest.metadata.name}"`);
}

/**
 * Returns the time at which a deadline passes. It passes after more than its time, because times are written in whole
 * seconds.
 */
function overAfter({ lastUpdateTime }: Condition, deadline: number): number {
  return Date.parse(lastUpdateTime ?? '') + deadline + 1;
}

function isComplete({ deployment, counts }: Rollout): boolean {
  const wanted = deployment.spec.replicas ?? 1;
  return [counts.updated, counts.replicas, counts.available].every((value) => value === wanted);
}

/** Whether the rollout has advanced since the status was written: more desired pods, fewer others, or an edit. */
function isGoingOn({ deployment, counts }: Rollout, former: Condition): boolean {
  if (isEdited(deployment) && (former.reason === COMPLETE || former.reason === TIMED_OUT)) return true;
  const {
    replicas = 0,
    updatedReplicas = 0,
    readyReplicas = 0,
    availableReplicas = 0,
  } = deployment.status ?? {};
  return (
    counts.updated > updatedReplicas ||
    counts.replicas - counts.updated < replicas - updatedReplicas ||
    counts.ready > readyReplicas ||
    counts.available > availableReplicas
  );
}

function isEdited({ metadata, status }: Workload): boolean {
  return status?.observedGeneration !== undefined && (metadata.generation ?? 0) > status.observedGeneration;
}

function subjectOf({ deployment, newest }: Rollout): string {
  return newest === undefined
    ? `Deployment "${deployment.metadata.name}"`
    : `ReplicaSet "${newest.metadata.name}"`;
}

function progressing(status: string, reason: string, message: string): Stated {
  return { type: PROGRESSING, status, reason, message };
}
