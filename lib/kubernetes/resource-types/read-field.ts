import type { JsonObject } from '../../json/index.ts';
import { listAt, textAt } from './json-path.ts';

/** The values of selectable fields that an object does not set: Kubernetes' defaults. */
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

/** Selectable fields that are read from other paths than their name. The first path with a value wins. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1/Event source', ['source.component', 'reportingComponent']],
  ['batch/v1/Job status.successful', ['status.succeeded']],
]);

/** The values that a field may have although the object's JSON does not contain them. */
const UNWRITTEN: ReadonlySet<string> = new Set(['', 'False', ...DEFAULTS.values()]);

/** A part of the JSON of each object that has a field with this value; undefined if there need not be one. */
export function writtenAs(value: string): string | undefined {
  return UNWRITTEN.has(value) ? undefined : JSON.stringify(value).slice(1, -1);
}

/**
 * Returns the value of a selectable field as a string; `undefined` if the object has none. `body` must have
 * apiVersion and kind, which determine the path and the default of some fields.
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

/** Returns the status of a condition; `False` if the condition is absent. */
function conditionOf(body: JsonObject, type: string): string {
  const condition = listAt(body, 'status.conditions').find((one) => textAt(one, 'type') === type);
  return textAt(condition, 'status') || 'False';
}
