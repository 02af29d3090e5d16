import { isJsonObject, type JsonObject, valueAt } from '../../json/index.ts';

/** Whether a pod's condition `Ready` is true. */
export function isReady(pod: JsonObject | undefined): boolean {
  return conditionsOf(pod).some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** The conditions of a pod's status. */
export function conditionsOf(pod: JsonObject | undefined): readonly JsonObject[] {
  const conditions = pod && valueAt(pod, 'status.conditions');
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : [];
}
