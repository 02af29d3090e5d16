import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';

/** An object as a client sent it. */
export interface Sent {
  readonly type: ResourceType;
  /** Of the URL. */
  readonly namespace: string;
  readonly value: JsonValue;
  /** What the value was parsed from, where that was JSON: it tells of fields that are there twice. */
  readonly text?: string;
  /** Keys that are there twice, in the words of the YAML reader. */
  readonly duplicates?: readonly string[];
  /** Whether it is to be created: a list that was sent empty stays one, until it is stored. */
  readonly isNew?: boolean;
  /** The error of what cannot be read as the type; a 400 where this is absent. */
  readonly refusal?: (why: string, converting: string) => Error;
}

export interface DecodedObject {
  readonly body: JsonObject;
  /** What `fieldValidation` is about, in the order of the text: `unknown field "foo"`, `duplicate field "a.b"`. */
  readonly faults: readonly string[];
  /** The faults that the YAML reader has found: `line 7: key "a" already set in map`. */
  readonly yamlFaults: readonly string[];
  /** The status of a new object, where its kind says what that holds. */
  readonly emptyStatus?: JsonObject;
}
