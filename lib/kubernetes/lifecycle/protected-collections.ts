import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';

/**
 * The finalizer of each protected collection, as in Kubernetes. New objects get it. It stays while other objects use them.
 */
const FINALIZERS: ReadonlyMap<Collection, string> = new Map<Collection, string>([
  ['core/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['core/persistentvolumes', 'kubernetes.io/pv-protection'],
]);

/** Returns the finalizer of new objects in a collection; undefined if they get none. */
export function protectionOf(collection: Collection): string | undefined {
  return FINALIZERS.get(collection);
}

/** Whether an object is deleted and its protection finalizer is still set. */
export function isProtected(collection: Collection, body: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = metadataOf(body);
  const finalizer = protectionOf(collection);
  const held = finalizer !== undefined && Array.isArray(finalizers) && finalizers.includes(finalizer);
  return held && deletionTimestamp !== undefined;
}
