import { isJsonObject, type JsonObject, metadataOf } from '../../json/index.ts';

/** One of `metadata.ownerReferences`. The owner is in the object's namespace, or its kind is cluster-scoped. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether a foreground deletion of the owner waits for this object. */
  readonly blocks: boolean;
}

/** The owner references of an object. If several have the same uid, only the first counts. */
export function ownerReferencesOf(body: JsonObject): readonly OwnerReference[] {
  const { ownerReferences } = metadataOf(body);
  if (!Array.isArray(ownerReferences)) return [];
  const owners = new Map<string, OwnerReference>();
  for (const reference of ownerReferences.filter(isJsonObject)) {
    const { apiVersion, kind, name, uid, blockOwnerDeletion } = reference;
    if (typeof uid !== 'string' || uid === '' || owners.has(uid)) continue;
    const names = { apiVersion: String(apiVersion), kind: String(kind), name: String(name) };
    owners.set(uid, { ...names, uid, blocks: blockOwnerDeletion === true });
  }
  return [...owners.values()];
}
