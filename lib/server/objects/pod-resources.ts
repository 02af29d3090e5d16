import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';

const CONTAINERS = ['containers', 'initContainers'] as const;
const RESIZED = ['resources', 'resizePolicy'] as const;

/**
 * The spec of the old pod with the resources of the desired one. If the numbers of containers differ, it is the desired
 * spec, so that validation reports the fault. k8s.io/kubernetes/pkg/registry/core/pod, dropNonResizeUpdates
 */
export function withResources(old: JsonObject, desired: JsonObject): JsonObject {
  const [before, wanted] = [objectAt(old.spec), objectAt(desired.spec)];
  const isCounted = (field: string) => listOf(before[field]).length === listOf(wanted[field]).length;
  if (!CONTAINERS.every(isCounted)) return wanted;
  const resized: JsonObject = { ...before };
  for (const field of CONTAINERS) {
    if (before[field] !== undefined) resized[field] = resizedOf(listOf(before[field]), listOf(wanted[field]));
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

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
