/** What one field of a type holds, its list or map aside. */
export type FieldType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint64'
  | 'double'
  /** base64 in JSON */
  | 'bytes'
  /** RFC 3339, whole seconds */
  | 'Time'
  /** RFC 3339 with six digits of a second */
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  /** Any object; its apiVersion and kind say which. */
  | 'Raw'
  /** Any value. */
  | 'JSON'
  /** The fields of a managedFields entry. */
  | 'Fields'
  /** Within a JSON schema: a schema, or what stands in the name. */
  | 'SchemaOrBool'
  | 'SchemaOrArray'
  | 'SchemaOrStrings'
  | 'message';

/** How a strategic merge patch treats a field; of what nothing is said, objects merge and lists are replaced. */
export interface MergeStrategy {
  /** The elements are merged: by this key, or as a set where it is `''`. */
  readonly key?: string;
  /** The object is replaced as a whole. */
  readonly replaced: boolean;
  /** `$retainKeys` is sent for it. */
  readonly retainKeys: boolean;
}

/** One field of a message, as Kubernetes' Go types have it. */
export interface Field {
  /** In JSON. */
  readonly name: string;
  readonly type: FieldType;
  /** Of a `message`: what it holds. */
  readonly message?: Message;
  /** From the outside inwards: `''`, a list, a map of strings to it, or a map of lists. */
  readonly container: '' | 'l' | 'm' | 'ml';
  /** The number on the wire. */
  readonly number: number;
  /** A Go pointer: nothing and zero differ. */
  readonly pointer: boolean;
  /** Zero is not written. */
  readonly omitEmpty: boolean;
  /** In protobuf a list of this kind is a message of its own, with the list as field 1. */
  readonly wrapped: boolean;
  /** Where the field stands in a Go struct that JSON has inlined: the numbers on the wire of the structs around it. */
  readonly within: readonly number[];
  readonly merge: MergeStrategy | undefined;
  /** For apply: a set, a list of objects with {@link keys}, or something that has one owner as a whole. */
  readonly relation: 'set' | 'map' | 'atomic' | undefined;
  /** The keys of a list of relation `map`. */
  readonly keys: readonly string[];
  /** Each element of a list of relation `map` has one owner as a whole. */
  readonly wholeElements: boolean;
  /** What Go calls the type of one value, e.g. `int32`, `v1.RestartPolicy`, `v1.PodSpec`. */
  readonly goType: string;
}

/** A type: an object's kind, or a part of one. Messages contain each other, some themselves. */
export interface Message {
  /** As in Go, with its package: `core.v1.PodSpec`. */
  readonly name: string;
  /** Whether it says its apiVersion and kind wherever it stands. */
  readonly envelope?: boolean;
  /** By JSON name, in the order of the Go type; what JSON inlines is among them. */
  readonly fields: ReadonlyMap<string, Field>;
}
