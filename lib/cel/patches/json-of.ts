import type { Meter } from '../meter.ts';
import {
  Duration,
  durationText,
  ListValue,
  MapValue,
  Timestamp,
  timestampText,
  typeNameOf,
  Uint,
  type Value,
} from '../values/index.ts';
import { ObjectValue, PatchValue } from './patch-values.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A value that has no form in JSON, such as a type or a map with numbers as keys. */
export class ConversionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversionError';
  }
}

/** The deepest nesting of a value that becomes JSON. */
const MOST_DEPTH = 1000;

/**
 * Returns a value as JSON, as protobuf's JSON writes it: bytes in base64, times in RFC 3339, durations in seconds, and
 * large integers as texts.
 *
 * @throws {ConversionError}
 * @throws {BudgetExceededError} the value is too large
 */
export function jsonOf(value: Value, meter: Meter, depth = 0): Json {
  meter.work(1);
  if (depth > MOST_DEPTH) throw new ConversionError('the value nests too deep');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return integerOf(value);
  if (value instanceof Uint) return integerOf(value.value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new ConversionError(`${value} is no number of JSON`);
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof ListValue) {
    meter.buildElements(value.size);
    return Array.from(value, (each) => jsonOf(each, meter, depth + 1));
  }
  if (value instanceof ObjectValue) return entriesOf(value.fields, meter, depth);
  if (value instanceof MapValue && value.typeName === 'map') return entriesOf(value, meter, depth);
  throw new ConversionError(`a value of type ${typeNameOf(value)} has no form in JSON`);
}

/** A number, or the digits of one that JSON cannot hold. */
function integerOf(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function entriesOf(map: MapValue, meter: Meter, depth: number): Json {
  meter.buildElements(map.size);
  const entries: [string, Json][] = [];
  for (const key of map.keys()) {
    if (typeof key !== 'string') {
      throw new ConversionError(`a map key of type ${typeNameOf(key)} is no text`);
    }
    entries.push([key, jsonOf(map.find(key) ?? null, meter, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

/** Returns the operations of a JSON patch; undefined if the value is no list of them. */
export function patchesIn(value: Value): readonly PatchValue[] | undefined {
  if (!(value instanceof ListValue)) return undefined;
  const patches = [...value].filter((each) => each instanceof PatchValue);
  return patches.length === value.size ? patches : undefined;
}

/** The most errors about names that are found. */
const MOST_ERRORS = 10;

/**
 * Returns why the names of object types do not match the fields that have them: `Object.spec{selector:
 * Object.spec.wrong{}}`. Lists and maps between them have no names. Parts of a value that occur several times are looked
 * at each time, and the meter counts it.
 *
 * @throws {BudgetExceededError | TimeExceededError} the value has too many parts
 */
export function nameErrors(value: Value, path: string, meter: Meter): readonly string[] {
  const errors: string[] = [];
  const look = (part: Value, at: string): void => {
    meter.work(1);
    if (errors.length >= MOST_ERRORS) return;
    if (part instanceof ObjectValue) {
      const { typeName, fields } = part;
      if (typeName !== at) {
        errors.push(
          `unexpected type name ${JSON.stringify(typeName)}, expected ${JSON.stringify(at)}, which matches field name path from root Object type`,
        );
      }
      for (const key of fields.keys()) look(fields.find(key) ?? null, `${at}.${key}`);
    } else if (part instanceof ListValue) {
      for (const each of part) look(each, at);
    } else if (part instanceof MapValue && part.json === undefined) {
      for (const key of part.keys()) look(part.find(key) ?? null, at);
    }
  };
  look(value, path);
  return errors;
}
