import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';

/** The metadata fields that clients set. */
const CLIENTS = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const;
/** The metadata fields that only the server sets once the object exists. */
const SERVERS = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/**
 * The metadata to store: the server's fields from `owned`, and the clients' fields from `sent`. It has no other fields
 * (selfLink, unknown fields) and no empty maps or lists. managedFields stay as sent, because an empty list asks to
 * forget the managers.
 */
export function mergeMetadata(owned: JsonObject, sent: JsonObject): JsonObject {
  return withManagers({ ...pick(SERVERS, owned), ...withSingleOwners(pick(CLIENTS, sent)) }, sent);
}

/** The owner references that repeat an earlier one. */
export function doubledOwners({ ownerReferences }: JsonObject): JsonObject[] {
  const owners = (Array.isArray(ownerReferences) ? ownerReferences : []).filter(isJsonObject);
  const before = new Set<string>();
  return owners.filter((owner) => {
    const text = JSON.stringify(Object.entries(owner).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const isDoubled = before.has(text);
    before.add(text);
    return isDoubled;
  });
}

/** The metadata without duplicate owner references, as Kubernetes stores it. */
function withSingleOwners(metadata: JsonObject): JsonObject {
  const doubled: ReadonlySet<JsonValue> = new Set(doubledOwners(metadata));
  const { ownerReferences } = metadata;
  if (doubled.size === 0 || !Array.isArray(ownerReferences)) return metadata;
  return { ...metadata, ownerReferences: ownerReferences.filter((owner) => !doubled.has(owner)) };
}

/** `metadata` with the managers of `sent`, or none. */
export function withManagers(metadata: JsonObject, { managedFields }: JsonObject): JsonObject {
  const { managedFields: _managedFields, ...rest } = metadata;
  return managedFields === undefined ? rest : { ...rest, managedFields };
}

/** The current time in Kubernetes' form: RFC 3339, whole seconds. */
export function timestamp(clock: Clock): string {
  return timestampAt(clock.now());
}

/** A moment in ms since the epoch, as {@link timestamp} writes it. */
export function timestampAt(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `metadata.finalizers` of a decoded object. */
export function finalizersOf({ finalizers }: JsonObject): readonly JsonValue[] {
  return Array.isArray(finalizers) ? finalizers : [];
}

function pick(fields: readonly string[], from: JsonObject): JsonObject {
  const picked: JsonObject = {};
  for (const field of fields) {
    const value = from[field];
    if (value !== undefined && !isEmpty(value)) picked[field] = value;
  }
  return picked;
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
