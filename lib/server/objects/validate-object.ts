import { type JsonObject, metadataOf } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../status/index.ts';
import { rulesOf } from './rules/index.ts';

export interface ToBeStored {
  readonly type: ResourceType;
  readonly body: JsonObject;
  /** The replaced object. */
  readonly old?: JsonObject;
  /** The subresource of the write. */
  readonly subresource?: string;
  /** Makes the error for all faults. Without this function, the error is a 422 with the object's name. */
  readonly refusal?: ((errors: readonly FieldError[]) => Error) | undefined;
}

/**
 * Refuses an object that may not be stored. The code of the checks is loaded by the first write.
 * @throws ApiError 422 with all faults, not only the first
 */
export async function refuseInvalid(stored: ToBeStored): Promise<void> {
  const { type, body, old, subresource = '', refusal } = stored;
  const { objectErrors } = await import('../../kubernetes/validation/index.ts');
  const errors = [
    ...(await objectErrors({ type, body, old, subresource })),
    ...((await rulesOf(type).validate?.(body, old, subresource)) ?? []),
  ];
  if (errors.length === 0) return;
  if (refusal !== undefined) throw refusal(errors);
  // The error names the group in which the object is stored.
  const { kind, group, storedAs } = type;
  const kept = { kind, group: storedAs?.group ?? group };
  throw invalid(kept, String(metadataOf(body).name ?? ''), errors);
}
