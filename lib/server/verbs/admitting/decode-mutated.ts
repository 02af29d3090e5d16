import { type JsonObject, metadataOf } from '../../../json/index.ts';
import type { Call } from '../../http/index.ts';
import { decodeSent, refuseOtherName } from '../../objects/index.ts';

/**
 * An object that a webhook changed, decoded as if a client had sent it. A webhook cannot rename an existing object, and
 * cannot change the managers of fields.
 */
export async function decodeMutated(
  { route }: Call,
  changed: JsonObject,
  before: JsonObject,
): Promise<JsonObject> {
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
