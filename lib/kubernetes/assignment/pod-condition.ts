import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';

export interface PodCondition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False';
}

/** What says whether a pod has a node. */
export const POD_SCHEDULED = 'PodScheduled';

/** A pod with a condition, which takes the place of the one of its type. Its time is when its status last changed. */
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
