import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';

/** Metadata that belongs to the clients. */
const CLIENTS = ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const;
/** Metadata that belongs to the server once the object exists. */
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
 * The metadata to store: what is the server's from `owned`, what is the clients' from `sent`, nothing else
 * (selfLink, fields that do not exist), and no empty maps or lists; but what the client says of managers as it
 * says it, for an empty list asks to forget them.
 */
export function mergeMetadata(owned: JsonObject, sent: JsonObject): JsonObject {
  return withManagers({ ...pick(SERVERS, owned), ...withSingleOwners(pick(CLIENTS, sent)) }, sent);
}

/** Owner references that are there before, each once for each time that it is too many. */
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

/** As Kubernetes stores them: what is there twice is there once. */
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

/** Now, as Kubernetes writes times: RFC 3339, whole seconds. */
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
