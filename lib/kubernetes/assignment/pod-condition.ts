import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';

export interface PodCondition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False';
}

/** The type of the condition that shows whether a pod has a node. */
export const POD_SCHEDULED = 'PodScheduled';

/**
 * Returns the pod with the condition, which replaces the one of the same type. `lastTransitionTime` changes only with
 * its status.
 */
export function withPodCondition(pod: JsonObject, condition: PodCondition, now: string): JsonObject {
  const status = objectAt(pod.status);
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter(isJsonObject) : [];
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? null) : now;
  const current = { lastProbeTime: null, ...condition, lastTransitionTime };
  const next = at < 0 ? [...conditions, current] : conditions.with(at, current);
  return { ...pod, status: { ...status, conditions: next } };
}
