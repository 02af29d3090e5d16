/** The type of a field's values, without its list or map. */
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
  /** RFC 3339 with six fractional digits */
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  /** Any object; its apiVersion and kind determine its type. */
  | 'Raw'
  /** Any value. */
  | 'JSON'
  /** The fields of a managedFields entry. */
  | 'Fields'
  /** Within a JSON schema: a schema, or the alternative in the name. */
  | 'SchemaOrBool'
  | 'SchemaOrArray'
  | 'SchemaOrStrings'
  | 'message';

/** The treatment of a field by a strategic merge patch. By default, objects merge and lists are replaced. */
export interface MergeStrategy {
  /** The elements are merged by this key, or as a set if it is `''`. */
  readonly key?: string;
  /** Whether the object is replaced as a whole. */
  readonly replaced: boolean;
  /** Whether clients send `$retainKeys` for it. */
  readonly retainKeys: boolean;
}

/** One field of a message, as declared in Kubernetes' Go types. */
export interface Field {
  /** The JSON name. */
  readonly name: string;
  readonly type: FieldType;
  /** The fields of a `message`. */
  readonly message?: Message;
  /** The container, from the outside in: none (`''`), a list, a map with string keys, or a map of lists. */
  readonly container: '' | 'l' | 'm' | 'ml';
  /** The field number on the wire. */
  readonly number: number;
  /** Whether it is a Go pointer, which distinguishes nil from zero. */
  readonly pointer: boolean;
  /** Whether zero is omitted. */
  readonly omitEmpty: boolean;
  /** Whether protobuf wraps the list in a separate message, with the list as field 1. */
  readonly wrapped: boolean;
  /** The wire numbers of the enclosing Go structs that JSON inlines. */
  readonly within: readonly number[];
  readonly merge: MergeStrategy | undefined;
  /** The ownership for apply: a set, a list of objects with {@link keys}, or a value with one owner as a whole. */
  readonly relation: 'set' | 'map' | 'atomic' | undefined;
  /** The keys of a list with relation `map`. */
  readonly keys: readonly string[];
  /** Whether each element of a list with relation `map` has one owner as a whole. */
  readonly wholeElements: boolean;
  /** Go's name for the type of one value, e.g. `int32`, `v1.RestartPolicy`, `v1.PodSpec`. */
  readonly goType: string;
}

/** A protobuf message type: of a whole object or of a part. Messages contain each other, and some contain themselves. */
export interface Message {
  /** Go's name with its package: `core.v1.PodSpec`. */
  readonly name: string;
  /** Whether it has apiVersion and kind, wherever it occurs. */
  readonly envelope?: boolean;
  /** The fields by JSON name, in the order of the Go type, including those that JSON inlines. */
  readonly fields: ReadonlyMap<string, Field>;
}
