import type { JsonObject } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';

/** The user of a request, from its login. */
export interface Sender {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What one type does beyond what all types do. `old` is what a write replaces, absent on create; `''` is no subresource. */
export interface TypeRules {
  /** A new object that nobody named is named by chance. */
  readonly namesItself?: boolean;
  /** A new body with its sender, for types that record it. Nobody owns that. */
  sentBy?(body: JsonObject, user: Sender): JsonObject | Promise<JsonObject>;
  /** What reading makes of a new body beside its fields, before anybody owns them. */
  read?(body: JsonObject): JsonObject | Promise<JsonObject>;
  /** The body as the type stores it: defaults, conversions, what the server owns. Before validation. */
  prepare?(body: JsonObject, old?: JsonObject, subresource?: string): JsonObject | Promise<JsonObject>;
  /** What is wrong with a body that was prepared, beside what Kubernetes asks of its kind. */
  validate?(
    body: JsonObject,
    old?: JsonObject,
    subresource?: string,
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  /** The status of a new object. */
  readonly initialStatus?: JsonObject;
  /** Whether a create may set the status all the same. */
  readonly takesStatus?: boolean;
  /** Whether a terminating object without finalizers may go. */
  mayGo?(body: JsonObject): boolean;
}
