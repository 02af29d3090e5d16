import { type JsonObject, jsonEquals } from '../../json/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import { spelledMutation, timestamp, typedState } from '../objects/index.ts';

/**
 * Returns the mutation that edits a stored pod: the pod with today's defaults and the edit, in the form in which pods
 * are stored. It is `none` if the edit changes nothing. `edit` receives the time in Kubernetes' format.
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
