import type { Workload } from './objects.ts';

/** Kubernetes' default for `maxSurge` and `maxUnavailable`. */
const QUARTER = '25%';

/** Returns the number of replicas that may be unavailable while the Deployment counts as available. */
export function maxUnavailable({ spec }: Workload): number {
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
