import { type JsonObject, metadataOf } from '../../json/index.ts';
import { type ObjectState, toObject } from '../../store/index.ts';
import type { Call } from '../http/index.ts';
import { decodeSent, refuseOtherName } from '../objects/index.ts';

export interface Wanted {
  readonly current: ObjectState;
  /** The whole object that the client wants. */
  readonly desired: JsonObject;
  readonly dryRun: boolean;
}

/**
 * The object that a client wants, as mutating webhooks change it. Call it inside the change, before validation.
 *
 * @throws ApiError a webhook denies the write, or cannot be asked, or makes another object of it
 */
export async function mutatedUpdate(call: Call, { current, desired, dryRun }: Wanted): Promise<JsonObject> {
  const write = () =>
    ({ operation: 'UPDATE', object: desired, oldObject: toObject(current), dryRun }) as const;
  return (await call.mutate?.(write, (object) => decoded(call, object, desired))) ?? desired;
}

/** A new object, as mutating webhooks change it. Call it before validation. `name` is '' if the server generates one. */
export async function mutatedCreate(
  call: Call,
  { sent, name, dryRun }: { readonly sent: JsonObject; readonly name: string; readonly dryRun: boolean },
): Promise<JsonObject> {
  const write = () => ({ operation: 'CREATE', name, object: sent, dryRun }) as const;
  return (await call.mutate?.(write, (object) => decoded(call, object, sent))) ?? sent;
}

/**
 * An object that a webhook changed, decoded as if a client had sent it. A webhook cannot rename an existing object, and
 * cannot change the managers of fields.
 */
async function decoded({ route }: Call, changed: JsonObject, before: JsonObject): Promise<JsonObject> {
  const { type, name, namespace } = route;
  const { managedFields: _changed, ...metadata } = metadataOf(changed);
  const { managedFields } = metadataOf(before);
  const value = {
    ...changed,
    metadata: { ...metadata, ...(managedFields !== undefined && { managedFields }) },
  };
  const { body } = await decodeSent({ type, namespace, value, isNew: name === '' });
  if (name !== '') refuseOtherName(body, name);
  return body;
}
