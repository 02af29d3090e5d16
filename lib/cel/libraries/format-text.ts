import { CONVERSIONS, type Implementations, type Runtime, typed } from '../functions/index.ts';
import {
  CelError,
  compareTexts,
  Duration,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '../values/index.ts';
import { quoteLikeGo } from './go-text.ts';

/** The clause of a format: `%d`, `%.3f`, `%%`. */
const CLAUSE = /%(?:%|(\.\d*)?(.?))/gsu;
const DEFAULT_PRECISION = 6;

/** Thrown inside this file for values that a clause cannot format. */
class FormatError extends Error {}

/** Replaces the clauses of a format by values, as cel-go's string.format does. */
function formatText(runtime: Runtime, format: string, values: ListValue): Value {
  let at = 0;
  let size = 0;
  try {
    return format.replace(CLAUSE, (clause, precision: string | undefined, verb: string | undefined) => {
      if (clause === '%%') return '%';
      if (at >= values.size) throw new FormatError(`index ${at} out of range`);
      const text = clauseText(runtime, { precision, verb: verb ?? '' }, values.get(at));
      at += 1;
      size += text.length;
      runtime.meter.limit(format.length + size);
      runtime.meter.buildText(text.length);
      return text;
    });
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

interface Clause {
  /** The precision with its dot. */
  readonly precision: string | undefined;
  readonly verb: string;
}

function clauseText(runtime: Runtime, { precision, verb }: Clause, value: Value): string {
  if (verb === '') {
    const isOpen = precision !== undefined;
    throw new FormatError(
      isOpen
        ? 'could not parse formatting clause: error while parsing precision: could not find end of precision specifier'
        : 'unexpected end of string',
    );
  }
  if (precision === '.' || (precision?.length ?? 0) > 10) {
    throw new FormatError('could not parse formatting clause: error while parsing precision: invalid number');
  }
  const digits = precision === undefined ? DEFAULT_PRECISION : Number(precision.slice(1));
  runtime.meter.buildText(digits);
  switch (verb) {
    case 's':
      return stringOf(runtime, value);
    case 'd':
      return decimalOf(value);
    case 'f':
      return localFixed(doubleOf(value, 'fixed-point'), digits);
    case 'e':
      return localScientific(doubleOf(value, 'scientific'), digits);
    case 'b':
      return radixOf(value, 2);
    case 'o':
      return radixOf(value, 8);
    case 'x':
      return hexOf(value);
    case 'X':
      return hexOf(value).toUpperCase();
    default:
      throw new FormatError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function wrong(clause: string, value: Value): FormatError {
  return new FormatError(`error during formatting: ${clause}, was given ${typeNameOf(value)}`);
}

const STRINGS =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Returns a value as `%s` shows it. */
function stringOf(runtime: Runtime, value: Value): string {
  if (value instanceof ListValue) return listText(runtime, value);
  if (value instanceof MapValue) return mapText(runtime, value);
  return value === null ? 'null' : converted(runtime, value);
}

/** The conversions to a text, by the type's name. */
const TO_STRING: Readonly<Record<string, string>> = {
  bool: 'bool_to_string',
  bytes: 'bytes_to_string',
  double: 'double_to_string',
  int: 'int64_to_string',
  string: 'string_to_string',
  uint: 'uint64_to_string',
  'google.protobuf.Duration': 'duration_to_string',
  'google.protobuf.Timestamp': 'timestamp_to_string',
};

function converted(runtime: Runtime, value: Value): string {
  if (value instanceof TypeValue) return value.name;
  const conversion = CONVERSIONS[TO_STRING[typeNameOf(value)] ?? ''];
  if (conversion === undefined) throw wrong(STRINGS, value);
  const text = conversion(runtime, value);
  if (typeof text !== 'string') {
    throw new FormatError('error during formatting: could not convert argument to string');
  }
  return text;
}

function listText(runtime: Runtime, list: ListValue): string {
  const parts: string[] = [];
  let size = 2;
  for (const value of list) {
    const part = partText(runtime, value);
    size += part.length + 2;
    runtime.meter.limit(size);
    runtime.meter.buildText(part.length);
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

function mapText(runtime: Runtime, map: MapValue): string {
  const entries: [string, string][] = [];
  let size = 2;
  for (const key of map.keys()) {
    const isKey = key instanceof Uint || ['string', 'boolean', 'bigint'].includes(typeof key);
    if (!isKey) {
      throw new FormatError('error during formatting: no formatting function for the type of a map key');
    }
    const entry: [string, string] = [partText(runtime, key), partText(runtime, map.find(key) ?? null)];
    size += entry[0].length + entry[1].length + 3;
    runtime.meter.limit(size);
    runtime.meter.buildText(entry[0].length + entry[1].length);
    entries.push(entry);
  }
  entries.sort(([one], [other]) => compareTexts(one, other));
  return `{${entries.map((entry) => entry.join(':')).join(', ')}}`;
}

/** Returns a value inside a list or a map, as a CEL literal. */
function partText(runtime: Runtime, value: Value): string {
  runtime.meter.work(1);
  if (typeof value === 'string') return quoteLikeGo(value);
  if (value instanceof Uint8Array) return `b${quoteLikeGo(converted(runtime, value))}`;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? fixedOf(value, DEFAULT_PRECISION) : `"${converted(runtime, value)}"`;
  }
  if (value instanceof Timestamp) return `timestamp("${converted(runtime, value)}")`;
  if (value instanceof Duration) return `duration("${converted(runtime, value)}")`;
  if (value instanceof ListValue || value instanceof MapValue || value === null) {
    return stringOf(runtime, value);
  }
  if (value instanceof TypeValue || value instanceof Uint) return converted(runtime, value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return converted(runtime, value);
  throw new FormatError(`error during formatting: no formatting function for ${typeNameOf(value)}`);
}

function decimalOf(value: Value): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return String(value.value);
  throw wrong('decimal clause can only be used on integers', value);
}

function doubleOf(value: Value, clause: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  throw wrong(`${clause} clause can only be used on doubles`, value);
}

/** Returns a double as English readers write it: `1,234.500000`. */
function localFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = '', fraction] = exactFixed(Math.abs(value), digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value < 0 ? '-∞' : '∞';
}

/** Returns a double with digits after the point, without commas. */
function fixedOf(value: number, digits: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + exactFixed(Math.abs(value), digits);
}

/** The most digits after the point that a double has. */
const MOST_DECIMALS = 1074;

/** Rounds the exact value of a double to digits after the point, to even in a tie. */
function exactFixed(value: number, digits: number): string {
  if (digits > MOST_DECIMALS) return exactFixed(value, MOST_DECIMALS) + '0'.repeat(digits - MOST_DECIMALS);
  const { numerator, denominator } = fractionOf(value);
  const text = quotientOf(numerator * 10n ** BigInt(digits), denominator)
    .toString()
    .padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Divides, and rounds to even in a tie. */
function quotientOf(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  const twice = rest * 2n;
  return twice > denominator || (twice === denominator && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Returns a double as an exact fraction. */
function fractionOf(value: number): { numerator: bigint; denominator: bigint } {
  let power = 0;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    power += 1;
  }
  return { numerator: BigInt(whole), denominator: 1n << BigInt(power) };
}

/**
 * Returns a double in scientific notation: `1.052033×10⁰³`. As in cel-go, the precision of the clause is the width of
 * the text, and there are always six digits.
 */
function localScientific(value: number, width: number): string {
  const text = Number.isFinite(value) ? scientificOf(value) : special(value);
  return text.padStart(width);
}

function scientificOf(value: number): string {
  const size = Math.abs(value);
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1]);
  const { numerator, denominator } = fractionOf(size);
  const shift = BigInt(Math.abs(DEFAULT_PRECISION - exponent));
  const isUp = exponent <= DEFAULT_PRECISION;
  let digits = quotientOf(
    isUp ? numerator * 10n ** shift : numerator,
    isUp ? denominator : denominator * 10n ** shift,
  ).toString();
  if (digits.length > DEFAULT_PRECISION + 1) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  const padded = digits.padEnd(DEFAULT_PRECISION + 1, '0');
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const raised = [...power].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}${padded.charAt(0)}.${padded.slice(1)}×10${exponent < 0 ? '⁻' : ''}${raised}`;
}

const SUPERSCRIPTS = [...'⁰¹²³⁴⁵⁶⁷⁸⁹'];

function radixOf(value: Value, radix: 2 | 8): string {
  if (typeof value === 'bigint') return value.toString(radix);
  if (value instanceof Uint) return value.value.toString(radix);
  if (typeof value === 'boolean' && radix === 2) return value ? '1' : '0';
  throw wrong(
    radix === 2
      ? 'only integers and bools can be formatted as binary'
      : 'octal clause can only be used on integers',
    value,
  );
}

function hexOf(value: Value): string {
  if (typeof value === 'bigint') return value.toString(16);
  if (value instanceof Uint) return value.value.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  throw wrong('only integers, byte buffers, and strings can be formatted as hex', value);
}

/** The implementation of `format`. */
export const FORMATTED: Implementations = { string_format: typed(formatText) };
