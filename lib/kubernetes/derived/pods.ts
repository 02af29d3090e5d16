import type { Pod } from './objects.ts';

/** The counts of pods at a given time. */
export interface PodCounts {
  readonly ready: number;
  readonly available: number;
  /** The time at which the next pod becomes available by itself, in ms since the epoch. */
  readonly next: number | undefined;
}

/** Whether a pod has neither ended nor is being deleted. */
export function isActive({ metadata, status }: Pod): boolean {
  return !isOver(status?.phase) && !metadata.deletionTimestamp;
}

export function isOver(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Whether the pod's condition `Ready` is true. */
export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/**
 * Counts the pods that are ready, and those that have been ready for longer than `minReadySeconds`. `now` is in ms
 * since the epoch.
 */
export function countPods(pods: readonly Pod[], minReadySeconds: number, now: number): PodCounts {
  const ready = pods.filter(isReady);
  const from = ready.map((pod) => availableFrom(pod, minReadySeconds));
  const later = from.filter((time) => time > now && time !== Number.POSITIVE_INFINITY);
  return {
    ready: ready.length,
    available: from.filter((time) => time <= now).length,
    next: later.length === 0 ? undefined : Math.min(...later),
  };
}

/**
 * Returns the time from which a ready pod is available, in ms since the epoch. Kubernetes requires more than
 * `minReadySeconds`.
 */
function availableFrom(pod: Pod, minReadySeconds: number): number {
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? Number.POSITIVE_INFINITY : since + minReadySeconds * 1_000 + 1;
}

function readyCondition({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
