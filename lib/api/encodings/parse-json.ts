import type { JsonValue } from '../../store/index.ts';
import { EncodingError } from './encoding-error.ts';
import { jsonSyntaxFault } from './json-syntax.ts';

/**
 * A JSON text and what it says.
 * @throws EncodingError with Go's words
 */
export function parseJson(bytes: Uint8Array): { readonly value: JsonValue; readonly text: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text), text };
  } catch (error) {
    throw new EncodingError(
      jsonSyntaxFault(bytes) ?? (error instanceof Error ? error.message : String(error)),
    );
  }
}
