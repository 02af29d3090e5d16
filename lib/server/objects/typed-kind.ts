import type { JsonObject } from '../../json/index.ts';
import { complete } from '../../kubernetes/defaults/index.ts';
import {
  type Decoded,
  decodeMessage,
  type FieldTable,
  inOrder,
  type Message,
  UnmarshalError,
} from '../../kubernetes/fields/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';

/** The first fields of every object. */
const ENVELOPE = ['apiVersion', 'kind'];

/** A kind of Kubernetes, whose fields are all known. */
export interface TypedKind {
  /** The Go package of the type that Kubernetes converts to: `core`. */
  readonly internalGroup: string;
  /**
   * Decodes a body as Kubernetes does: typed, canonical, with its defaults.
   * @throws {UnmarshalError} a value is of another type than its field
   */
  decode(body: JsonObject, options?: TypedDecodeOptions): Decoded;
  /** The same object with its fields in Kubernetes' order, also for patches of stored objects. */
  inOrder(body: JsonObject): JsonObject;
  /** The empty status of a new object. */
  readonly emptyStatus: JsonObject | undefined;
}

export interface TypedDecodeOptions {
  /** The text of numbers, for {@link decodeMessage}. */
  readonly literals?: ReadonlyMap<string, string> | undefined;
  /** Whether the object is new. An empty list in a new object stays until the object is stored. */
  readonly isNew?: boolean | undefined;
}

export function typedKindIn(fields: FieldTable, type: ResourceType): TypedKind | undefined {
  const message = fields.kind(apiVersionOf(type), type.kind);
  if (message === undefined) return undefined;
  const status = message.fields.get('status')?.message;
  return {
    internalGroup: message.name.split('.', 1).join(''),
    decode: (body, { literals, isNew } = {}) => {
      const { value, unknown } = decodeMessage(message, body, { fixed: ENVELOPE, literals, complete });
      return { value: inOrder(message, value, isNew ? 'kept' : 'null'), unknown };
    },
    inOrder: (body) => inOrder(message, body),
    emptyStatus: status && decodeMessage(status, {}, { complete }).value,
  };
}

/** The reason why a value does not decode as the kind that it names. It is checked first. */
export function faultAs(kind: Message, value: JsonObject): string | undefined {
  try {
    decodeMessage(kind, value, { fixed: ENVELOPE });
    return undefined;
  } catch (error) {
    if (error instanceof UnmarshalError) return error.message;
    throw error;
  }
}
