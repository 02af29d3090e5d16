import type { JsonValue } from '../../json/index.ts';
import { EncodingError } from './encoding-error.ts';
import { jsonSyntaxFault } from './json-syntax.ts';
import { refuseLargeJson } from './refuse-large-json.ts';

/**
 * Parses a JSON body. Returns its value and its text.
 * @throws {EncodingError} it is not JSON (in Go's words), or nests too deep
 * @throws {TooLargeError} it has more values than any body may have
 */
export function parseJson(bytes: Uint8Array): { readonly value: JsonValue; readonly text: string } {
  refuseLargeJson(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text), text };
  } catch (error) {
    throw new EncodingError(
      jsonSyntaxFault(bytes) ?? (error instanceof Error ? error.message : String(error)),
    );
  }
}
