import {
  CelError,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** Returns the name of a value's type at run time: `int`, `list`, `google.protobuf.Timestamp`, `net.URL`. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue) return value.typeName;
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof OptionalValue) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof CelError) return 'error';
  if (value instanceof OpaqueValue) return value.typeName;
  return 'error';
}
