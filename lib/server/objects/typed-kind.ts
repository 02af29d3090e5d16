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

/** What every object begins with, whatever its kind. */
const ENVELOPE = ['apiVersion', 'kind'];

/** Objects of a type that Kubernetes has: what they hold is known field by field. */
export interface TypedKind {
  /** The Go package of the type that Kubernetes converts to: `core`. */
  readonly internalGroup: string;
  /**
   * What Kubernetes makes of a body: typed, canonical, with its defaults.
   * @throws {UnmarshalError} a value is of another type than its field
   */
  decode(body: JsonObject, options?: TypedDecodeOptions): Decoded;
  /** The same object with its fields in Kubernetes' order, also for patches of stored objects. */
  inOrder(body: JsonObject): JsonObject;
  /** The status of an object of which nothing is known yet. */
  readonly emptyStatus: JsonObject | undefined;
}

export interface TypedDecodeOptions {
  /** How numbers were written, as {@link decodeMessage} has it. */
  readonly literals?: ReadonlyMap<string, string> | undefined;
  /** Whether it is to be created: a list that was sent empty stays one, until it is stored. */
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

/** What keeps a value from being of its own kind; that is found out first. */
export function faultAs(kind: Message, value: JsonObject): string | undefined {
  try {
    decodeMessage(kind, value, { fixed: ENVELOPE });
    return undefined;
  } catch (error) {
    if (error instanceof UnmarshalError) return error.message;
    throw error;
  }
}
