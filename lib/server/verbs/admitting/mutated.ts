import type { JsonObject } from '../../../json/index.ts';
import { type ObjectState, toObject } from '../../../store/index.ts';
import type { Call, MutatedObject, RuledWrite } from '../../http/index.ts';

/**
 * The object that a client wants, as mutating policies and webhooks change it. Call it before validation; for an
 * existing object, inside the change.
 *
 * @throws ApiError a rule denies the write, or fails, or makes another object of it
 */
export async function mutated(
  call: Call,
  write: RuledWrite & { readonly object: JsonObject },
): Promise<JsonObject> {
  const complete: MutatedObject = async (...changed) =>
    (await import('./decode-mutated.ts')).decodeMutated(call, write.object, ...changed);
  return (await call.mutate?.(() => write, complete)) ?? write.object;
}

/** The update of an object to the one that the client wants. */
export function updateOf(current: ObjectState, object: JsonObject, dryRun: boolean) {
  return { operation: 'UPDATE', object, oldObject: toObject(current), dryRun } as const;
}
