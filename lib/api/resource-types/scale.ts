import type { JsonObject } from '../../store/index.ts';
import { formatLabelSelector, formatLabels, NONE } from './columns.ts';
import { defineResourceTypes } from './define-resource-types.ts';
import { numberAt, objectAt, valueAt } from './json-path.ts';
import type { ResourceType } from './resource-type.ts';
import { SPEC_AND_STATUS } from './schema-fields.ts';

/** What `/scale` answers and takes: no objects of their own, but another view of those that have it. */
export const [SCALE] = defineResourceTypes('autoscaling', 'v1', [
  {
    kind: 'Scale',
    resource: 'scales',
    description: 'Scale says how many replicas there shall be, and are.',
    properties: SPEC_AND_STATUS,
  },
]) as [ResourceType];

/** The defaulted value of an object that does not say. */
const DEFAULT_REPLICAS = 1;

/** The Scale of an object whose type has one. k8s.io/kubernetes/pkg/registry/apps: scaleFromDeployment and its like. */
export function scaleOf({ scale }: ResourceType, object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = objectAt(object, 'metadata');
  const replicas = numberAt(object, 'spec.replicas', DEFAULT_REPLICAS);
  const selector = selectorText(object, scale?.selector);
  return {
    kind: SCALE.kind,
    apiVersion: `${SCALE.group}/${SCALE.version}`,
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    // Go leaves a zero out.
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, 'status.replicas'), ...(selector === '' ? {} : { selector }) },
  };
}

function selectorText(object: JsonObject, kind: 'labelSelector' | 'map' | undefined): string {
  const text =
    kind === 'map'
      ? formatLabels(objectAt(object, 'spec.selector'))
      : formatLabelSelector(valueAt(object, 'spec.selector'));
  return text === NONE ? '' : text;
}

function defined(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as JsonObject;
}
