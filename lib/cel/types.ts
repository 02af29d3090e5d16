export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'param';

/**
 * A type of the checker. `name` is what `type(x)` is called at run time: `int`, `list`, `null_type`,
 * `google.protobuf.Timestamp`, `optional_type`, `net.URL`, the name of a struct, or the name of a type parameter. A list
 * has its element as parameter, a map its key and value, `type` may have the type that it names.
 */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
}

const NONE: readonly Type[] = [];

function simple(kind: TypeKind, name: string = kind): Type {
  return { kind, name, parameters: NONE };
}

export const DYN = simple('dyn');
/** The type of a part that does not type-check. */
export const ERROR = simple('error', '*error*');
export const NULL = simple('null', 'null_type');
export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp');
export const DURATION = simple('duration', 'google.protobuf.Duration');
/** The type of types, without the type that is named. */
export const TYPE = simple('type');

export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', parameters: [element] };
}

export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value] };
}

export function typeOf(named: Type): Type {
  return { kind: 'type', name: 'type', parameters: [named] };
}

export function opaque(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters };
}

export function optionalOf(value: Type): Type {
  return opaque('optional_type', value);
}

/** A type with named fields, which an environment declares by this name. */
export function struct(name: string): Type {
  return simple('struct', name);
}

export function param(name: string): Type {
  return simple('param', name);
}
