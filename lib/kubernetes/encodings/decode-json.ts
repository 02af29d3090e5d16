import type { JsonValue } from '../../json/index.ts';
import { EncodingError } from './encoding-error.ts';
import { refuseLargeJson } from './refuse-large-json.ts';

/** Bytes that are not JSON in UTF-8. The message is V8's; `inGoWords` has that of Kubernetes. */
export class JsonFault extends EncodingError {}

/** The value of a JSON text, and the text. */
export interface DecodedJson {
  readonly value: JsonValue;
  readonly text: string;
}

/**
 * Decodes JSON in UTF-8.
 * @throws {JsonFault} it is not JSON
 * @throws {EncodingError} it nests too deep
 * @throws {TooLargeError} it has more values than any body may have
 */
export function decodeJson(bytes: Uint8Array): DecodedJson {
  refuseLargeJson(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text), text };
  } catch (error) {
    throw new JsonFault(error instanceof Error ? error.message : String(error));
  }
}
