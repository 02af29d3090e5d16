import { type JsonObject, type JsonValue, jsonEquals, metadataOf } from '../../json/index.ts';
import { expiryOf } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { type Mutation, type ObjectState, refuseUnstorable } from '../../store/index.ts';
import { parseVersion, type ResourceRoute } from '../http/index.ts';
import { badRequest, conflict, invalid, modified } from '../status/index.ts';
import { withGeneration } from './generation.ts';
import { finalizersOf } from './metadata.ts';
import { rulesOf } from './rules/index.ts';
import { refuseInvalid } from './validate-object.ts';
import { wantedThrough } from './wanted-through.ts';

/**
 * What an update or a patch does to an object: `desired` is the whole object the client wants. The server's metadata
 * stays. Where a kind has `/status`, only a write through it changes the status. Without a change the mutation is `none`.
 * When a terminating object loses its last finalizer, it is `delete`.
 * @throws {ApiError} 409 for another uid or resourceVersion, 422
 * @throws {TooLargeError} the object is too large to store
 */
export async function nextState(
  route: ResourceRoute,
  current: ObjectState,
  desired: JsonObject,
): Promise<Mutation> {
  const { type, subresource } = route;
  refuseUnstorable(desired, current.body);
  refuseOtherObject(route, current, metadataOf(desired));
  if (subresource === '') refuseDeletion(route, current.body, metadataOf(desired));
  const old = current.body;
  const wanted = wantedThrough(route, old, desired);
  const prepared = (await rulesOf(type).prepare?.(wanted, old, subresource)) ?? wanted;
  const body = withGeneration(type, prepared, old);
  await refuseInvalid({ type, body, old, subresource });
  if (jsonEquals(body, old)) return { kind: 'none' };
  return isGone(type, body) ? { kind: 'delete', body } : withExpiry(type, body, old);
}

/**
 * The mutation that stores `body`. If the object's expiry changed, the mutation requests a check of the object at its
 * new expiry.
 */
export function withExpiry(type: ResourceType, body: JsonObject, old: JsonObject): Mutation {
  const collection = collectionOfType(type);
  const expires = expiryOf(collection, body);
  const isNew = expires !== undefined && expires !== expiryOf(collection, old);
  return { kind: 'put', body, ...(isNew ? { expires } : {}) };
}

/** Whether the object is terminating and nothing holds it any more. */
export function isGone(type: ResourceType, body: JsonObject): boolean {
  const metadata = metadataOf(body);
  const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = metadata;
  const held = finalizersOf(metadata).length > 0 || rulesOf(type).mayGo?.(body) === false;
  return deletionTimestamp !== undefined && grace === 0 && !held;
}

/** Refuses a body that names another object than the URL. */
export function refuseOtherName(body: JsonObject, name: string): void {
  const { name: own = '' } = metadataOf(body);
  if (own === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (own !== name) {
    throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
}

/**
 * The error of a body whose uid is that of another object or of a deleted one. For an update it is a failed
 * precondition, for a patch a field that cannot change.
 */
export function otherUid(
  { type, namespace, name, verb }: ResourceRoute,
  uid: JsonValue,
  current = '',
): Error {
  if (verb === 'update') {
    const key = ['/registry', type.resource, ...(namespace === '' ? [] : [namespace]), name].join('/');
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current}`;
    const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    return conflict(type, name, text);
  }
  const error = { type: 'Invalid', field: 'metadata.uid', value: uid, detail: 'field is immutable' } as const;
  // Upstream reports the error twice.
  return invalid(type, name, [error, error]);
}

function refuseOtherObject(route: ResourceRoute, current: ObjectState, metadata: JsonObject): void {
  const { uid = '', resourceVersion = '' } = metadata;
  const { type } = route;
  const { name } = current.name;
  if (uid !== '' && uid !== current.uid) throw otherUid(route, uid, current.uid);
  if (resourceVersion === '' && !needsVersion(type)) return;
  if (resourceVersion === '') throw withoutVersion(type, name);
  const rv = parseVersion(String(resourceVersion));
  if (rv === undefined) {
    const detail = 'must be an unsigned integer';
    throw invalid(type, name, [
      { type: 'Invalid', field: 'metadata.resourceVersion', value: resourceVersion, detail },
    ]);
  }
  // 0 means any version, like an absent one.
  if (rv !== 0 && rv !== current.rv) throw modified(type, name);
}

/** Refuses to mark an object for deletion, which only a DELETE may do. Reports each error twice, as upstream does. */
function refuseDeletion({ type, name }: ResourceRoute, old: JsonObject, desired: JsonObject): void {
  const before = metadataOf(old);
  const { deletionTimestamp, deletionGracePeriodSeconds } = desired;
  const errors: FieldError[] = [];
  if (deletionTimestamp !== undefined && before.deletionTimestamp === undefined) {
    errors.push(immutable('deletionTimestamp', goTime(String(deletionTimestamp))));
  }
  if (deletionGracePeriodSeconds !== undefined && before.deletionGracePeriodSeconds === undefined) {
    errors.push(immutable('deletionGracePeriodSeconds', String(deletionGracePeriodSeconds)));
  }
  if (errors.length > 0) throw invalid(type, name, [...errors, ...errors]);
}

function immutable(field: string, printed: string): FieldError {
  return { type: 'Invalid', field: `metadata.${field}`, detail: `${printed}: field is immutable` };
}

/** `2020-01-01T00:00:00Z` as Go prints it. */
function goTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime())
    ? text
    : `${time.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

function withoutVersion({ group, resource }: ResourceType, name: string): Error {
  const detail = '0x0: must be specified for an update';
  return invalid({ group, kind: resource }, name, [
    { type: 'Invalid', field: 'metadata.resourceVersion', detail },
  ]);
}

/**
 * The kinds, besides custom ones and admission rules, whose update needs a resourceVersion: `AllowUnconditionalUpdate`
 * is false.
 */
const READ_BEFORE = new Set([
  'CSIDriver',
  'CSINode',
  'CSIStorageCapacity',
  'CustomResourceDefinition',
  'Lease',
  'PodDisruptionBudget',
  'RuntimeClass',
  'VolumeAttachment',
]);

function needsVersion({ custom, decides, kind }: ResourceType): boolean {
  return custom !== undefined || decides === 'writes' || READ_BEFORE.has(kind);
}
