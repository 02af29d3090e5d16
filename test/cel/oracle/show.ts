import { doubleText } from '../../../lib/cel/functions/numbers.ts';
import type { Type } from '../../../lib/cel/types.ts';
import {
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  timestampText,
  typeNameOf,
  Uint,
  type Value,
} from '../../../lib/cel/values/index.ts';

/** Writes a value as the oracle does: in a form that does not depend on the order of a map's keys. */
export function show(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (typeof value === 'number') return `double(${doubleText(value)})`;
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Uint8Array) return `bytes(${Buffer.from(value).toString('hex')})`;
  if (value instanceof Duration) return `duration(${value.nanos})`;
  if (value instanceof Timestamp) return `timestamp(${timestampText(value)})`;
  if (value instanceof OptionalValue) {
    return value.value === undefined ? 'none' : `optional(${show(value.value)})`;
  }
  if (value instanceof TypeValue) return `type(${value.name})`;
  if (value instanceof ListValue) return `[${[...value].map(show).join(', ')}]`;
  if (!(value instanceof MapValue)) return typeNameOf(value);
  const entries = [...value.keys()].map((key) => `${show(key)}: ${show(value.find(key) ?? null)}`);
  return `{${entries.sort().join(', ')}}`;
}

/** Returns a type as cel-go's String does. */
export function typeText({ name, parameters }: Type): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(typeText).join(', ')})`;
}

/** Quotes as Go's encoding/json does. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
