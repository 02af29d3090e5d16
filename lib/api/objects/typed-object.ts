import { isJsonObject, type JsonObject, type Mutation, type ObjectState } from '../../store/index.ts';
import { complete } from '../defaults/index.ts';
import {
  type Decoded,
  decodeMessage,
  type FieldTable,
  inOrder,
  loadFields,
  UnmarshalError,
} from '../fields/index.ts';
import { apiVersionOf, type ResourceType } from '../resource-types/index.ts';

/** What every object begins with, whatever its kind. */
export const ENVELOPE = ['apiVersion', 'kind'];

/** Objects of a type that Kubernetes has: what they hold is known field by field. */
export interface TypedKind {
  /** The Go package of the type that Kubernetes converts to: `core`. */
  readonly internalGroup: string;
  /**
   * What Kubernetes makes of a body: typed, canonical, with its defaults.
   * @throws {UnmarshalError} a value is of another type than its field
   */
  decode(body: JsonObject, literals?: ReadonlyMap<string, string>): Decoded;
  /** The same object, spelled in the order in which Kubernetes does: also by who patches what was stored. */
  inOrder(body: JsonObject): JsonObject;
  /** The status of an object of which nothing is known yet. */
  readonly emptyStatus: JsonObject | undefined;
}

/** The kind of a type's objects; undefined where Kubernetes has none such. */
export async function typedKindOf(type: ResourceType): Promise<TypedKind | undefined> {
  return kindIn(await loadFields(), type);
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

function kindIn(fields: FieldTable, type: ResourceType): TypedKind | undefined {
  const message = fields.kind(apiVersionOf(type), type.kind);
  if (message === undefined) return undefined;
  const status = message.fields.get('status')?.message;
  return {
    internalGroup: message.name.split('.', 1).join(''),
    decode: (body, literals) => {
      const { value, unknown } = decodeMessage(message, body, { fixed: ENVELOPE, literals, complete });
      return { value: inOrder(message, value), unknown };
    },
    inOrder: (body) => inOrder(message, body),
    emptyStatus: status && decodeMessage(status, {}, { complete }).value,
  };
}

/** The server gives an object its time, and stores none where there is none. */
function withoutNothing(body: JsonObject): JsonObject {
  const { metadata, ...rest } = body;
  if (!isJsonObject(metadata) || metadata.creationTimestamp !== null) return body;
  const { creationTimestamp: _none, ...own } = metadata;
  return { ...rest, metadata: own };
}
