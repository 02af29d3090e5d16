import { type DecodedJson, decodeJson, JsonFault } from './decode-json.ts';
import { EncodingError } from './encoding-error.ts';
import { jsonSyntaxFault } from './json-syntax.ts';

/**
 * Parses a JSON body. Returns its value and its text.
 * @throws {EncodingError} it is not JSON (in Go's words), or nests too deep
 * @throws {TooLargeError} it has more values than any body may have
 */
export function parseJson(bytes: Uint8Array): DecodedJson {
  try {
    return decodeJson(bytes);
  } catch (error) {
    throw error instanceof JsonFault ? inGoWords(error, bytes) : error;
  }
}

/** The fault of a JSON text in the words of Go's decoder. */
export function inGoWords(fault: JsonFault, bytes: Uint8Array): EncodingError {
  return new EncodingError(jsonSyntaxFault(bytes) ?? fault.message);
}
