import { type JsonObject, metadataOf, objectAt } from '../../lib/json/index.ts';

/** Metadata that a cluster sets itself. `ownerReferences` hold uids, which differ at another cluster. */
export const GIVEN = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'ownerReferences',
  'selfLink',
];
/** Addresses that a cluster assigns to a Service. `None` is not among them: the author writes it. */
const ADDRESSES = ['clusterIP', 'clusterIPs'];

/** An object as its author would write it, so that `kubectl apply` can create it in another cluster. */
export function plainObject(object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  const spec = objectAt(object.spec);
  const isAddressed = object.kind === 'Service' && object.apiVersion === 'v1' && spec.clusterIP !== 'None';
  return {
    ...rest,
    metadata: without(metadataOf(object), GIVEN),
    ...(isAddressed && { spec: without(spec, ADDRESSES) }),
  };
}

/** A copy of an object without the named fields. */
export function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
