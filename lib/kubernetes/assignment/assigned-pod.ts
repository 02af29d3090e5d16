import { isJsonObject, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { POD_SCHEDULED, withPodCondition } from './pod-condition.ts';

/**
 * Returns the reason why a pod cannot be assigned to a node, in Kubernetes' words; undefined if it can. Follows
 * k8s.io/kubernetes/pkg/registry/core/pod/storage, BindingREST.setPodHostAndAnnotations.
 */
export function whyNotAssigned(name: string, body: JsonObject): string | undefined {
  const { nodeName = '', schedulingGates } = objectAt(body.spec);
  if (metadataOf(body).deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  if (nodeName !== '') return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  const isGated = Array.isArray(schedulingGates) && schedulingGates.length > 0;
  return isGated ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

export interface Assignment {
  readonly nodeName: JsonValue;
  /** The annotations of the Binding, which are merged into the pod's. */
  readonly annotations?: JsonValue | undefined;
  /** The current time, in Kubernetes' format. */
  readonly now: string;
}

/** Returns the pod after its assignment to the node. */
export function assigned(pod: JsonObject, { nodeName, annotations: given, now }: Assignment): JsonObject {
  const annotations = { ...stringsAt(metadataOf(pod).annotations), ...stringsAt(given) };
  const own = { ...metadataOf(pod), ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
  const body = { ...pod, metadata: own, spec: { ...objectAt(pod.spec), nodeName } };
  return withPodCondition(body, { type: POD_SCHEDULED, status: 'True' }, now);
}

function stringsAt(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
