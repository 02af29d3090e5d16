import { type JsonObject, metadataOf } from '../../../json/index.ts';
import { refuseUnstorable } from '../../../store/index.ts';
import type { Call } from '../../http/index.ts';
import { decodeSent, refuseOtherName } from '../../objects/index.ts';

/**
 * An object that a rule changed, decoded as if a client had sent it. A rule cannot rename an existing object, and cannot
 * change the managers of fields.
 *
 * @param told gets the faults of the object, such as `unknown field "spec.x"`
 * @throws ApiError the object is not one of the type
 * @throws {TooLargeError} the object is too large to store
 */
export async function decodeMutated(
  { route }: Call,
  before: JsonObject,
  changed: JsonObject,
  told?: (faults: readonly string[]) => void,
): Promise<JsonObject> {
  const { type, name, namespace } = route;
  refuseUnstorable(changed, before);
  const { managedFields: _changed, ...metadata } = metadataOf(changed);
  const { managedFields } = metadataOf(before);
  const value = {
    ...changed,
    metadata: { ...metadata, ...(managedFields !== undefined && { managedFields }) },
  };
  const { body, faults } = await decodeSent({ type, namespace, value, isNew: name === '' });
  if (name !== '') refuseOtherName(body, name);
  told?.(faults);
  return body;
}
