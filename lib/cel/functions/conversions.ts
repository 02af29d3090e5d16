import {
  CelError,
  type Duration,
  durationText,
  floorDivide,
  INT_OVERFLOW,
  parseDuration,
  parseTimestamp,
  SECOND,
  type Timestamp,
  timestampOf,
  timestampText,
  Uint,
  type Value,
} from '../values/index.ts';
import { type Implementation, type Implementations, typed } from './implementation.ts';
import { doubleText, parseDouble } from './numbers.ts';
import { int64, uint64 } from './operators.ts';

const same: Implementation = (_, value = null) => value;

/** The conversions between types, by overload id. */
export const CONVERSIONS: Implementations = {
  bool_to_bool: same,
  bytes_to_bytes: same,
  double_to_double: same,
  duration_to_duration: same,
  int64_to_int64: same,
  string_to_string: same,
  timestamp_to_timestamp: same,
  uint64_to_uint64: same,
  string_to_bool: typed((_, text: string) => boolOf(text)),
  string_to_bytes: typed(({ meter }, text: string) => {
    meter.buildText(text.length);
    return new Uint8Array(Buffer.from(text));
  }),
  int64_to_double: typed((_, value: bigint) => Number(value)),
  uint64_to_double: typed((_, { value }: Uint) => Number(value)),
  string_to_double: typed((_, text: string) => parseDouble(text) ?? failure('string', 'double')),
  int64_to_duration: () => failure('int', 'google.protobuf.Duration'),
  string_to_duration: typed(
    (_, text: string) => parseDuration(text) ?? failure('string', 'google.protobuf.Duration'),
  ),
  double_to_int64: typed((_, value: number) => intOf(value)),
  duration_to_int64: typed((_, { nanos }: Duration) => nanos),
  string_to_int64: typed((_, text: string) => wholeOf(text, /^[+-]?\d{1,1000}$/, int64, 'int')),
  timestamp_to_int64: typed((_, { nanos }: Timestamp) => floorDivide(nanos, SECOND)),
  uint64_to_int64: typed((_, { value }: Uint) => int64(value)),
  bool_to_string: typed((_, value: boolean) => String(value)),
  bytes_to_string: typed(({ meter }, bytes: Uint8Array) => {
    meter.buildText(bytes.length);
    return textOf(bytes);
  }),
  double_to_string: typed((_, value: number) => doubleText(value)),
  duration_to_string: typed((_, value: Duration) => durationText(value)),
  int64_to_string: typed((_, value: bigint) => String(value)),
  timestamp_to_string: typed((_, value: Timestamp) => timestampText(value)),
  uint64_to_string: typed((_, { value }: Uint) => String(value)),
  int64_to_timestamp: typed((_, seconds: bigint) => timestampOf(seconds * SECOND)),
  string_to_timestamp: typed(
    (_, text: string) => parseTimestamp(text) ?? failure('string', 'google.protobuf.Timestamp'),
  ),
  double_to_uint64: typed((_, value: number) => uintOf(value)),
  int64_to_uint64: typed((_, value: bigint) => uint64(value)),
  string_to_uint64: typed((_, text: string) => wholeOf(text, /^\d{1,1000}$/, uint64, 'uint')),
};

function failure(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function boolOf(text: string): Value {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : failure('string', 'bool');
}

function wholeOf(text: string, form: RegExp, checked: (value: bigint) => Value, type: string): Value {
  const digits = text.replace(/^\+/, '');
  const value = form.test(text) ? checked(BigInt(digits)) : undefined;
  return value === undefined || value instanceof CelError ? failure('string', type) : value;
}

function intOf(value: number): Value {
  const limit = 2 ** 63;
  return value > -limit && value < limit ? BigInt(Math.trunc(value)) : INT_OVERFLOW;
}

function uintOf(value: number): Value {
  return value >= 0 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : uint64(-1n);
}

/** Returns the text of bytes in UTF-8. */
export function textOf(bytes: Uint8Array): string | CelError {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}
