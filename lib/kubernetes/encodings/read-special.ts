import type { JsonValue } from '../../json/index.ts';
import type { FieldType } from '../fields/index.ts';
import { EncodingError } from './encoding-error.ts';
import { WIRE, WireReader } from './wire-reader.ts';

/** Go's zero time in seconds since the epoch: January 1 of the year 1. */
const ZERO_TIME = -62_135_596_800;
/** The last second that RFC 3339 can represent. */
const LAST_TIME = 253_402_300_799;

/**
 * Reads a value whose Go type has its own JSON form, from its protobuf message. k8s.io/apimachinery/pkg/apis/meta/v1,
 * pkg/api/resource, pkg/util/intstr, pkg/runtime: generated.proto
 *
 * @throws {EncodingError}
 */
export function readSpecial(type: FieldType, bytes: Uint8Array): JsonValue {
  switch (type) {
    case 'Time':
      return timeOf(bytes, 0);
    case 'MicroTime':
      return timeOf(bytes, 6);
    case 'Quantity':
      return read(bytes, { 1: 'string' })[1] || '0';
    case 'IntOrString':
      return intOrString(bytes);
    case 'Raw':
    case 'JSON':
    case 'Fields':
      return jsonIn(bytes);
    default:
      throw new Error(`no field of Kubernetes is a ${type}`);
  }
}

/** @param digits the number of fractional digits of the second */
function timeOf(bytes: Uint8Array, digits: 0 | 6): string | null {
  const { 1: seconds = 0, 2: nanos = 0 } = read(bytes, { 1: 'int64', 2: 'int32' }) as Record<number, number>;
  if (bytes.length === 0 || seconds === ZERO_TIME) return null;
  if (seconds < ZERO_TIME || seconds > LAST_TIME || nanos < 0 || nanos >= 1e9) {
    throw new EncodingError(`a time is out of range: ${seconds} seconds, ${nanos} nanoseconds`);
  }
  const text = new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length);
  const fraction = String(Math.trunc(nanos / 1_000)).padStart(digits, '0');
  return digits === 0 ? `${text}Z` : `${text}.${fraction}Z`;
}

function intOrString(bytes: Uint8Array): JsonValue {
  const { 1: type = 0, 2: number = 0, 3: text = '' } = read(bytes, { 1: 'int64', 2: 'int32', 3: 'string' });
  if (type === 0) return number;
  if (type === 1) return text;
  throw new EncodingError('impossible IntOrString.Type');
}

function jsonIn(bytes: Uint8Array): JsonValue {
  const { 1: text = '' } = read(bytes, { 1: 'string' });
  if (text === '') return null;
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new EncodingError(`json: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Scalar = 'int32' | 'int64' | 'string';

/**
 * Reads the fields of a message of scalars; the last occurrence of each counts. Other fields, and fields with another
 * wire type, are skipped.
 */
function read(bytes: Uint8Array, shape: Readonly<Record<number, Scalar>>): Record<number, string | number> {
  const wire = new WireReader(bytes);
  const found: Record<number, string | number> = {};
  while (!wire.done) {
    const { number, wireType } = wire.tag();
    const type = shape[number];
    if (type === undefined || wireType !== (type === 'string' ? WIRE.bytes : WIRE.varint)) {
      wire.skip(wireType);
    } else {
      found[number] = wire[type]();
    }
  }
  return found;
}
