import type { JsonObject, JsonValue } from '../../json/index.ts';
import { WIRE, WireReader } from './wire-reader.ts';

/** The types of JSON schema fields that hold a schema or an alternative to one. */
export type SchemaOr = 'SchemaOrBool' | 'SchemaOrArray' | 'SchemaOrStrings';

/**
 * Reads a nested schema or its alternative: false or true, a list of schemas, or a list of names.
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1: generated.proto
 *
 * @throws {EncodingError}
 */
export function readSchemaOr(
  type: SchemaOr,
  bytes: Uint8Array,
  readSchema: (bytes: Uint8Array) => JsonObject,
): JsonValue {
  const schemaNumber = type === 'SchemaOrBool' ? 2 : 1;
  const wire = new WireReader(bytes);
  let instead: JsonValue = type === 'SchemaOrBool' ? false : null;
  const list: JsonValue[] = [];
  while (!wire.done) {
    const { number, wireType } = wire.tag();
    if (type === 'SchemaOrBool' && number === 1 && wireType === WIRE.varint) {
      instead = wire.bool();
    } else if (wireType !== WIRE.bytes || number > 2) {
      wire.skip(wireType);
    } else if (number === schemaNumber) {
      instead = readSchema(wire.bytes());
    } else if (type === 'SchemaOrArray') {
      list.push(readSchema(wire.bytes()));
    } else {
      list.push(wire.string());
    }
  }
  return list.length > 0 ? list : instead;
}
