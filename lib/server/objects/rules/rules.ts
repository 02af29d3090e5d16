import type { JsonObject } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';

/** The user of a request, from its login. */
export interface Sender {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The rules of one type beyond those of all types. `old` is the replaced object, if any; `''` means no subresource. */
export interface TypeRules {
  /** Whether a new object without a name gets a random one. */
  readonly namesItself?: boolean;
  /** A new body with its sender, for types that record it. These fields have no manager. */
  sentBy?(body: JsonObject, user: Sender): JsonObject | Promise<JsonObject>;
  /** The new body after the type's own decoding, before its fields get a manager. */
  read?(body: JsonObject): JsonObject | Promise<JsonObject>;
  /** The body as the type stores it, before validation: with defaults, conversions and the server's fields. */
  prepare?(body: JsonObject, old?: JsonObject, subresource?: string): JsonObject | Promise<JsonObject>;
  /** The faults of a prepared body, besides those of Kubernetes' validation of its kind. */
  validate?(
    body: JsonObject,
    old?: JsonObject,
    subresource?: string,
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  /** The status of a new object. */
  readonly initialStatus?: JsonObject;
  /** Whether a create may set the status even if the type has `/status`. */
  readonly takesStatus?: boolean;
  /** Whether a terminating object without finalizers may be deleted. */
  mayGo?(body: JsonObject): boolean;
}
