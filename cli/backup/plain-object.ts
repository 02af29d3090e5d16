import { type JsonObject, metadataOf, objectAt } from '../../lib/json/index.ts';

/** What a cluster gives every object. `ownerReferences` name uids, which are others there. */
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
/** What it gives a Service; that a Service has no address is the author's word. */
const ADDRESSES = ['clusterIP', 'clusterIPs'];

/** An object as its author would write it: another cluster can be told of it by `kubectl apply`. */
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

/** An object but for some of its fields. */
export function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
