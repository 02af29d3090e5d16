import { type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { JsonObject } from './json.ts';
import type { Attribute } from './table.ts';

/** Below this many characters compression is not tried: it would save less than a write unit. */
const WORTH_COMPRESSING = 512;

/**
 * JSON, whose text the caller may have, as text, or compressed (Zstandard) to bytes where that makes it smaller. What
 * stands in `dictionary` as well takes next to nothing; whoever decodes it has to have that too.
 */
export function encodeBody(
  body: JsonObject,
  text = JSON.stringify(body),
  dictionary?: string,
): string | Uint8Array {
  if (text.length < WORTH_COMPRESSING) return text;
  const compressed = zstdCompressSync(text, withDictionary(dictionary));
  return compressed.byteLength < Buffer.byteLength(text) ? compressed : text;
}

/** What was encoded with the dictionary, or without any. */
export function decodeBody(encoded: Attribute | undefined, dictionary?: string): JsonObject {
  return JSON.parse(decodeText(encoded, dictionary));
}

export function decodeText(encoded: Attribute | undefined, dictionary?: string): string {
  return typeof encoded === 'string'
    ? encoded
    : zstdDecompressSync(encoded as Uint8Array, withDictionary(dictionary)).toString();
}

function withDictionary(dictionary: string | undefined): ZstdOptions {
  return dictionary === undefined ? {} : { dictionary: Buffer.from(dictionary) };
}

export function encodedBytes(encoded: string | Uint8Array): number {
  return typeof encoded === 'string' ? Buffer.byteLength(encoded) : encoded.byteLength;
}
