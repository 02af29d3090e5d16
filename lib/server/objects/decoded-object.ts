import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';

/** An object as a client sent it. */
export interface Sent {
  readonly type: ResourceType;
  /** The namespace of the URL. */
  readonly namespace: string;
  readonly value: JsonValue;
  /** The JSON text of the value, if it was JSON. It shows duplicate fields. */
  readonly text?: string;
  /** Duplicate keys, as messages of the YAML reader. */
  readonly duplicates?: readonly string[];
  /** Whether the object is new. Decoding keeps the empty lists of a new object, as Go does. */
  readonly isNew?: boolean;
  /** Makes the error for a value that does not decode as the type. Without this function, the error is a 400. */
  readonly refusal?: (why: string, converting: string) => Error;
}

export interface DecodedObject {
  readonly body: JsonObject;
  /** The faults for `fieldValidation`, in the order of the text: `unknown field "foo"`, `duplicate field "a.b"`. */
  readonly faults: readonly string[];
  /** The faults that the YAML reader found: `line 7: key "a" already set in map`. */
  readonly yamlFaults: readonly string[];
  /** The status of a new object, if its kind defines one. */
  readonly emptyStatus?: JsonObject;
}
