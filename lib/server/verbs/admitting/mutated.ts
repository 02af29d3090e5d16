import type { JsonObject } from '../../../json/index.ts';
import { type ObjectState, toObject } from '../../../store/index.ts';
import type { Call, RuledWrite } from '../../http/index.ts';

/**
 * The object that a client wants, as mutating webhooks change it. Call it before validation; for an existing object,
 * inside the change.
 *
 * @throws ApiError a webhook denies the write, or cannot be asked, or makes another object of it
 */
export async function mutated(
  call: Call,
  write: RuledWrite & { readonly object: JsonObject },
): Promise<JsonObject> {
  const complete = async (changed: JsonObject) =>
    (await import('./decode-mutated.ts')).decodeMutated(call, changed, write.object);
  return (await call.mutate?.(() => write, complete)) ?? write.object;
}

/** The update of an object to the one that the client wants. */
export function updateOf(current: ObjectState, object: JsonObject, dryRun: boolean) {
  return { operation: 'UPDATE', object, oldObject: toObject(current), dryRun } as const;
}
