import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { mergeMetadata, withManagers } from './metadata.ts';

const CONTAINERS = ['containers', 'initContainers'] as const;
const RESIZED = ['resources', 'resizePolicy'] as const;

export interface Path {
  readonly type: ResourceType;
  readonly subresource: string;
}

/** The whole object after a write. Parts outside the path stay unchanged, except managedFields. */
export function wantedThrough({ type, subresource }: Path, old: JsonObject, desired: JsonObject): JsonObject {
  switch (subresource) {
    case 'status':
      return throughStatus(type, old, desired);
    case 'ephemeralcontainers':
      return withOldMetadata(withEphemeralContainers(old, desired), desired);
    case 'approval':
      return withSentMetadata(withConditions(old, desired), desired);
    case 'resize':
      return withOldMetadata({ ...old, spec: withResources(old, desired) }, desired);
    default:
      return withNewMetadata(type, old, desired);
  }
}

/** The status of `desired`, and the metadata that kube-apiserver takes from a write to the status of this kind. */
function throughStatus({ statusKeeps = [] }: ResourceType, old: JsonObject, desired: JsonObject): JsonObject {
  const body = withStatusOf(old, desired);
  if (statusKeeps === 'metadata') return withOldMetadata(body, desired);
  const metadata = { ...metadataOf(desired) };
  for (const field of statusKeeps) {
    const kept = metadataOf(old)[field];
    delete metadata[field];
    if (kept !== undefined) metadata[field] = kept;
  }
  return withSentMetadata(body, { metadata });
}

function withStatusOf(old: JsonObject, { status }: JsonObject): JsonObject {
  const { status: _status, ...rest } = old;
  return status === undefined ? rest : { ...rest, status };
}

function withConditions(old: JsonObject, desired: JsonObject): JsonObject {
  const { conditions: _old, ...status } = objectAt(old.status);
  const { conditions } = objectAt(desired.status);
  return { ...old, status: conditions === undefined ? status : { ...status, conditions } };
}

function withEphemeralContainers(old: JsonObject, desired: JsonObject): JsonObject {
  const { ephemeralContainers: _old, ...spec } = objectAt(old.spec);
  const { ephemeralContainers } = objectAt(desired.spec);
  return { ...old, spec: ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers } };
}

/** The object with its old metadata, but with the new managedFields, which an apply brings. */
function withOldMetadata(old: JsonObject, desired: JsonObject): JsonObject {
  return { ...old, metadata: withManagers(metadataOf(old), metadataOf(desired)) };
}

/** `old` with the labels, annotations, finalizers and owner references of `desired`. */
function withSentMetadata(old: JsonObject, desired: JsonObject): JsonObject {
  return { ...old, metadata: mergeMetadata(metadataOf(old), metadataOf(desired)) };
}

function withNewMetadata(type: ResourceType, old: JsonObject, desired: JsonObject): JsonObject {
  const body = { ...desired, metadata: mergeMetadata(metadataOf(old), metadataOf(desired)) };
  return type.status ? withStatusOf(body, old) : body;
}

/**
 * The spec of the old pod with the resources of the desired one. If the numbers of containers differ, it is the desired
 * spec, so that validation reports the fault. k8s.io/kubernetes/pkg/registry/core/pod, dropNonResizeUpdates
 */
function withResources(old: JsonObject, desired: JsonObject): JsonObject {
  const [before, wanted] = [objectAt(old.spec), objectAt(desired.spec)];
  const isCounted = (field: string) => objectsIn(before[field]).length === objectsIn(wanted[field]).length;
  if (!CONTAINERS.every(isCounted)) return wanted;
  const resized: JsonObject = { ...before };
  for (const field of CONTAINERS) {
    if (before[field] !== undefined) {
      resized[field] = resizedOf(objectsIn(before[field]), objectsIn(wanted[field]));
    }
  }
  return resized;
}

function resizedOf(before: readonly JsonObject[], wanted: readonly JsonObject[]): JsonValue[] {
  if (before.some(({ name }, at) => wanted[at]?.name !== name)) return [...wanted];
  return before.map((container, at) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = container;
    const entries = RESIZED.map((field) => [field, wanted[at]?.[field]] as const);
    return {
      ...rest,
      ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    } as JsonObject;
  });
}
