import { isJsonObject, type JsonValue } from '../../json/index.ts';
import { canonicalQuantity, QUANTITY_PATTERN } from '../../quantities/index.ts';
import type { Field } from './message.ts';
import { canonicalTime } from './time.ts';
import { UnmarshalError } from './unmarshal-error.ts';

/** Creates the error for a value that does not have a Go type. */
type Mismatch = (goType: string) => UnmarshalError;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  uint64: [0, 2 ** 64],
};

/**
 * Decodes a value of a field that is not a message, in its canonical form.
 *
 * @throws {UnmarshalError} the error of `mismatch`, or that of the type's own decoder
 */
export function decodeScalar({ type, goType }: Field, value: JsonValue, mismatch: Mismatch): JsonValue {
  switch (type) {
    case 'string':
      return expect(typeof value === 'string', value, () => mismatch(goType));
    case 'bool':
      return expect(typeof value === 'boolean', value, () => mismatch(goType));
    case 'int32':
    case 'int64':
    case 'uint64':
      return expect(isInteger(value, type), value, () => mismatch(goType));
    case 'double':
      return expect(typeof value === 'number', value, () => mismatch('float64'));
    case 'IntOrString':
      return expect(typeof value === 'string' || isInteger(value, 'int32'), value, () => mismatch('int32'));
    case 'bytes':
      return decodeBytes(value, mismatch);
    case 'Time':
    case 'MicroTime':
      return decodeTime(value, type);
    case 'Quantity':
      return decodeQuantity(value);
    case 'Raw':
      return expect(isJsonObject(value), value, () => mismatch('runtime.RawExtension'));
    default:
      return value;
  }
}

function expect(fits: boolean, value: JsonValue, error: () => UnmarshalError): JsonValue {
  if (!fits) throw error();
  return value;
}

function isInteger(value: JsonValue, type: 'int32' | 'int64' | 'uint64'): boolean {
  const [least = 0, most = 0] = RANGES[type] ?? [];
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function decodeBytes(value: JsonValue, mismatch: Mismatch): string {
  if (typeof value !== 'string') throw mismatch('[]uint8');
  const text = value.replaceAll(/[\r\n]/g, '');
  if (BASE64.test(text)) return text;
  const at = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  throw new UnmarshalError(`illegal base64 data at input byte ${at - (at % 4)}`);
}

function decodeTime(value: JsonValue, type: 'Time' | 'MicroTime'): string {
  if (typeof value !== 'string') {
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw new UnmarshalError(`json: cannot unmarshal ${kind} into Go value of type string`);
  }
  try {
    return canonicalTime(value, type);
  } catch (error) {
    throw new UnmarshalError(error instanceof Error ? error.message : String(error));
  }
}

/** Parses a quantity. A number is read as its text. */
function decodeQuantity(value: JsonValue): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const canonical = canonicalQuantity(text.trim());
  if (canonical !== undefined) return canonical;
  throw new UnmarshalError(`quantities must match the regular expression '${QUANTITY_PATTERN}'`);
}
