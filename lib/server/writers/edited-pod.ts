import { type JsonObject, jsonEquals } from '../../json/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import { spelledMutation, timestamp, typedState } from '../objects/index.ts';

/**
 * What a write of a stored pod comes to: edited as it would be stored today, and spelled as every pod is; or nothing,
 * where the edit changes nothing. The edit is told the time as Kubernetes writes it.
 */
export async function editedPod(
  pod: ObjectState,
  clock: Clock,
  edit: (body: JsonObject, now: string) => JsonObject,
): Promise<Mutation> {
  const type = findResourceType('', 'v1', 'pods');
  if (type === undefined) throw new Error('the resource type pods is missing');
  const { body } = await typedState(type, pod);
  const edited = edit(body, timestamp(clock));
  return jsonEquals(edited, body) ? { kind: 'none' } : spelledMutation(type, { kind: 'put', body: edited });
}
