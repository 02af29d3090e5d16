import type { KubeObject } from '../what-if/index.ts';

/** Top-level fields that keep their present values. */
const KEPT = ['apiVersion', 'kind', 'metadata', 'status'];

/**
 * The present object with the labels, the annotations and the other fields of an earlier state. Its resourceVersion makes
 * a write fail if the object has changed meanwhile.
 */
export function restored(current: KubeObject, state: KubeObject): KubeObject {
  const { labels: _labels, annotations: _annotations, ...metadata } = current.metadata;
  const { labels, annotations } = state.metadata;
  const pick = (object: KubeObject, isKept: boolean) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => KEPT.includes(field) === isKept));
  return {
    ...pick(current, true),
    ...pick(state, false),
    apiVersion: current.apiVersion,
    kind: current.kind,
    metadata: { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
  };
}

/**
 * A deleted object as it is created anew: without status and finalizers, and with those owners that still exist.
 *
 * @param owners the uids of the owners that exist
 */
export function createdAnew(state: KubeObject, owners: ReadonlySet<string>): Record<string, unknown> {
  const { status: _status, ...rest } = state;
  const { name, namespace, labels, annotations, ownerReferences = [] } = state.metadata;
  const living = ownerReferences.filter(({ uid }) => owners.has(uid));
  return {
    ...rest,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(living.length > 0 && { ownerReferences: living }),
    },
  };
}
