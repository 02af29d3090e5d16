import type { Pod } from './objects.ts';

/** What pods count as, at a moment. */
export interface PodCounts {
  readonly ready: number;
  readonly available: number;
  /** When the next of them becomes available where nothing else happens, in ms since the epoch. */
  readonly next: number | undefined;
}

/** Neither over nor on its way out. */
export function isActive({ metadata, status }: Pod): boolean {
  return !isOver(status?.phase) && !metadata.deletionTimestamp;
}

export function isOver(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Whether its condition `Ready` is true. */
export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** How many are ready, and how many have been for longer than `minReadySeconds`, at `now` in ms since the epoch. */
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

/** From when on a pod that is ready is available, in ms since the epoch: Kubernetes asks for more than the seconds. */
function availableFrom(pod: Pod, minReadySeconds: number): number {
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? Number.POSITIVE_INFINITY : since + minReadySeconds * 1_000 + 1;
}

function readyCondition({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
