import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { JsonObject } from './json.ts';
import type { Attribute } from './table.ts';

/** Below this many characters compression is not tried: it would save less than a write unit. */
const WORTH_COMPRESSING = 512;

/** JSON, whose text the caller may have, as text, or compressed (Zstandard) to bytes where that makes it smaller. */
export function encodeBody(body: JsonObject, text = JSON.stringify(body)): string | Uint8Array {
  if (text.length < WORTH_COMPRESSING) return text;
  const compressed = zstdCompressSync(text);
  return compressed.byteLength < Buffer.byteLength(text) ? compressed : text;
}

export function decodeBody(encoded: Attribute | undefined): JsonObject {
  const text = typeof encoded === 'string' ? encoded : zstdDecompressSync(encoded as Uint8Array).toString();
  return JSON.parse(text);
}

export function encodedBytes(encoded: string | Uint8Array): number {
  return typeof encoded === 'string' ? Buffer.byteLength(encoded) : encoded.byteLength;
}
