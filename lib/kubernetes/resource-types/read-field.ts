import type { JsonObject } from '../../json/index.ts';
import { listAt, textAt } from './json-path.ts';

/** What a field reads as while the object does not say: the value Kubernetes would have defaulted it to. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['v1/Namespace status.phase', 'Active'],
  ['v1/Node spec.unschedulable', 'false'],
  ['v1/Pod spec.hostNetwork', 'false'],
  ['v1/Pod spec.restartPolicy', 'Always'],
  ['v1/Pod spec.schedulerName', 'default-scheduler'],
  ['v1/Pod status.phase', 'Pending'],
  ['v1/ReplicationController status.replicas', '0'],
  ['v1/Secret type', 'Opaque'],
  ['v1/Service spec.type', 'ClusterIP'],
  ['apps/v1/ReplicaSet status.replicas', '0'],
  ['batch/v1/Job status.successful', '0'],
]);

/** Selectable fields that are not named after the place they are read from, the first non-empty place winning. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1/Event source', ['source.component', 'reportingComponent']],
  ['batch/v1/Job status.successful', ['status.succeeded']],
]);

/**
 * The value of a selectable field as a string, `undefined` where the object has none. `body` names its
 * apiVersion and kind, which decide where some fields are read and what they default to.
 */
export function readField(body: JsonObject, field: string): string | undefined {
  const rule = `${textAt(body, 'apiVersion')}/${textAt(body, 'kind')} ${field}`;
  if (rule === 'v1/Pod Ready') return conditionOf(body, 'Ready');
  for (const path of ELSEWHERE.get(rule) ?? [field]) {
    const value = textAt(body, path);
    if (value !== '') return value;
  }
  return DEFAULTS.get(rule);
}

/** The status of a condition; False while nobody has said it. */
function conditionOf(body: JsonObject, type: string): string {
  const condition = listAt(body, 'status.conditions').find((one) => textAt(one, 'type') === type);
  return textAt(condition, 'status') || 'False';
}
