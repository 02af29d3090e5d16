import { type JsonObject, metadataOf } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../status/index.ts';
import { rulesOf } from './rules/index.ts';

export interface ToBeStored {
  readonly type: ResourceType;
  readonly body: JsonObject;
  /** What it replaces. */
  readonly old?: JsonObject;
  /** Through which subresource it is written. */
  readonly subresource?: string;
  /** The error of all that is wrong; a 422 that names the object where this is absent. */
  readonly refusal?: ((errors: readonly FieldError[]) => Error) | undefined;
}

/**
 * Refuses an object that may not be stored. What it is asked for is loaded when first something is written.
 * @throws ApiError 422 with everything that is wrong, not only the first.
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
  // Told in the group in which the object is kept.
  const { kind, group, storedAs } = type;
  const kept = { kind, group: storedAs?.group ?? group };
  throw invalid(kept, String(metadataOf(body).name ?? ''), errors);
}
