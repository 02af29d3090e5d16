import { isJsonObject, type JsonObject } from '../../json/index.ts';
import { loadFields, UnmarshalError } from '../../kubernetes/fields/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import type { TypedKind } from './typed-kind.ts';

/** The kind of a type's objects; undefined where Kubernetes has none such. What decodes is loaded with the first. */
export async function typedKindOf(type: ResourceType): Promise<TypedKind | undefined> {
  const [{ typedKindIn }, fields] = await Promise.all([import('./typed-kind.ts'), loadFields()]);
  return typedKindIn(fields, type);
}

/**
 * An object's state as it would be stored today: what was stored before its fields were known is decoded and has
 * its defaults. What does not decode stays as it is.
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

/** An object as its type spells it, so that every answer and every event spells it in one order. */
export async function spelled(type: ResourceType, body: JsonObject): Promise<JsonObject> {
  const kind = await typedKindOf(type);
  return kind?.inOrder(body) ?? body;
}

/** As {@link spelled}, for what a write comes to. */
export async function spelledMutation(type: ResourceType, mutation: Mutation): Promise<Mutation> {
  return mutation.kind === 'none' ? mutation : { ...mutation, body: await spelled(type, mutation.body) };
}

/** The server gives an object its time, and stores none where there is none. */
function withoutNothing(body: JsonObject): JsonObject {
  const { metadata, ...rest } = body;
  if (!isJsonObject(metadata) || metadata.creationTimestamp !== null) return body;
  const { creationTimestamp: _none, ...own } = metadata;
  return { ...rest, metadata: own };
}
