import { isJsonObject, type JsonObject } from '../../json/index.ts';
import { loadFields, UnmarshalError } from '../../kubernetes/fields/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import type { TypedKind } from './typed-kind.ts';

/** The kind of a type's objects; undefined if Kubernetes has no such kind. The first call loads the decoder. */
export async function typedKindOf(type: ResourceType): Promise<TypedKind | undefined> {
  const [{ typedKindIn }, fields] = await Promise.all([import('./typed-kind.ts'), loadFields()]);
  return typedKindIn(fields, type);
}

/**
 * An object's state as it would be stored today. An object that was stored before its fields were known is decoded and
 * gets its defaults. An object that does not decode stays as it is.
 */
export async function typedState(type: ResourceType, state: ObjectState): Promise<ObjectState> {
  const kind = await typedKindOf(type);
  if (kind === undefined) return state;
  try {
    return { ...state, body: withoutNothing(kind.decode(state.body).value) };
  } catch (error) {
    if (error instanceof UnmarshalError) return state;
    throw error;
  }
}

/** The object with its fields in the order of its type, so that all answers and events have the same order. */
export async function spelled(type: ResourceType, body: JsonObject): Promise<JsonObject> {
  const kind = await typedKindOf(type);
  return kind?.inOrder(body) ?? body;
}

/** As {@link spelled}, for the mutation of a write. */
export async function spelledMutation(type: ResourceType, mutation: Mutation): Promise<Mutation> {
  return mutation.kind === 'none' ? mutation : { ...mutation, body: await spelled(type, mutation.body) };
}

/** The object without a null creationTimestamp: the server sets that time, and never stores a null. */
function withoutNothing(body: JsonObject): JsonObject {
  const { metadata, ...rest } = body;
  if (!isJsonObject(metadata) || metadata.creationTimestamp !== null) return body;
  const { creationTimestamp: _none, ...own } = metadata;
  return { ...rest, metadata: own };
}
