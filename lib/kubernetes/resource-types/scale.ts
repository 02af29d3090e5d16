import { type JsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import { defineResourceTypes } from './define-resource-types.ts';
import { numberAt, objectAt, textAt } from './json-path.ts';
import { formatLabelSelector, formatLabels, NONE } from './label-text.ts';
import type { ResourceType, Scaling } from './resource-type.ts';
import { SPEC_AND_STATUS } from './schema-fields.ts';

/** The type of `/scale`. A Scale is not an object of its own, but a view of the scaled object. */
export const [SCALE] = defineResourceTypes('autoscaling', 'v1', [
  {
    kind: 'Scale',
    resource: 'scales',
    description: 'Scale shows the desired and the actual number of replicas.',
    properties: SPEC_AND_STATUS,
  },
]) as [ResourceType];

/** The default number of replicas. */
const DEFAULT_REPLICAS = 1;
const PATHS = { replicas: 'spec.replicas', observed: 'status.replicas', selector: 'spec.selector' } as const;

/**
 * Returns the Scale of an object whose type has one. Follows k8s.io/kubernetes/pkg/registry/apps: scaleFromDeployment
 * and similar functions.
 */
export function scaleOf({ scale }: ResourceType, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, 'metadata');
  const paths = scale?.paths ?? PATHS;
  const replicas = numberAt(object, paths.replicas, scale?.paths === undefined ? DEFAULT_REPLICAS : 0);
  const selector = paths.selector === undefined ? '' : selectorText(object, paths.selector, scale?.selector);
  return {
    kind: SCALE.kind,
    apiVersion: `${SCALE.group}/${SCALE.version}`,
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    // Go omits zero.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, paths.observed), ...(selector === '' ? {} : { selector }) },
  };
}

/** Returns the path of the desired number of replicas, for a type with a Scale. */
export function replicasPath({ scale }: ResourceType): readonly string[] {
  return (scale?.paths ?? PATHS).replicas.split('.');
}

/** Returns the object with the desired number of replicas. */
export function withReplicas(type: ResourceType, object: JsonObject, replicas: JsonValue): JsonObject {
  return withValue(object, replicasPath(type), replicas);
}

function withValue(
  object: JsonObject,
  [name = '', ...path]: readonly string[],
  value: JsonValue,
): JsonObject {
  const below = path.length === 0 ? value : withValue(objectAt(object, name), path, value);
  return { ...object, [name]: below };
}

function selectorText(object: JsonObject, path: string, kind: Scaling['selector'] | undefined): string {
  if (kind === 'text') return textAt(object, path);
  const text =
    kind === 'map' ? formatLabels(objectAt(object, path)) : formatLabelSelector(valueAt(object, path));
  return text === NONE ? '' : text;
}

function defined(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as JsonObject;
}
