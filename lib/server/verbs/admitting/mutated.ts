import type { JsonObject } from '../../../json/index.ts';
import { type ObjectState, toObject } from '../../../store/index.ts';
import type { Call, MutatedObject, RuledWrite } from '../../http/index.ts';

/** The object that a client wants, in a create or an update. */
export interface WantedObject extends Pick<RuledWrite, 'name' | 'dryRun'> {
  readonly object: JsonObject;
  /** The state that an update changes. */
  readonly current?: ObjectState;
}

/**
 * The object that a client wants, as mutating policies and webhooks change it. Call it before validation; for an
 * existing object, inside the change.
 *
 * @throws ApiError a rule denies the write, or fails, or makes another object of it
 */
export async function mutated(
  call: Call,
  { current, object, name, dryRun }: WantedObject,
): Promise<JsonObject> {
  const complete: MutatedObject = async (...changed) =>
    (await import('./decode-mutated.ts')).decodeMutated(call, object, ...changed);
  const operation = current === undefined ? 'CREATE' : 'UPDATE';
  const write = () =>
    current === undefined
      ? { operation: 'CREATE' as const, name, object, dryRun }
      : updateOf(current, object, dryRun);
  return (await call.mutate?.(operation, write, complete)) ?? object;
}

/** The update of an object to the one that the client wants. */
export function updateOf(current: ObjectState, object: JsonObject, dryRun: boolean) {
  return { operation: 'UPDATE', object, oldObject: toObject(current), dryRun } as const;
}
