/** The metadata of an object that the server stored. */
export interface StoredMetadata {
  name: string;
  namespace?: string;
  uid: string;
  /** A decimal integer of any size. Compare it as an integer, not as a string. */
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The metadata that a writer chooses. */
export interface NewMetadata {
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

/** The name of a new object, or the beginning of a name that the server completes. */
export type NewName =
  | { readonly name: string; readonly generateName?: undefined }
  | { readonly name?: undefined; readonly generateName: string };

/** An object that the server stored. `Body` has the other fields, such as `spec`. */
export type Stored<Body = unknown> = { apiVersion: string; kind: string; metadata: StoredMetadata } & Body;

/** An object to create. */
export type New<Input> = { readonly metadata: NewMetadata & NewName } & Input;

/** The fields of an object that one manager wants to own. */
export type Applied<Input> = {
  readonly metadata: NewMetadata & { readonly name: string };
} & DeepPartial<Input>;

/** A value of which any part may be missing. A list is whole. */
export type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> | undefined }
    : Value;

/**
 * A JSON merge patch. `null` removes a field; only an optional field can be removed. A list replaces the whole list.
 */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        readonly [Key in keyof Value]?:
          | MergePatch<Value[Key]>
          | (Record<never, never> extends Pick<Value, Key> ? null : never);
      }
    : Value;

/** A value of which no part can be changed. */
export type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** An object that a live set holds. Everything that reads the set gets the same object, so it is read-only. */
export type LiveObject<Body = unknown> = DeepReadonly<Stored> & DeepReadonly<Body>;
