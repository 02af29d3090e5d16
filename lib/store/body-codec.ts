import type { ZlibOptions, ZstdOptions } from 'node:zlib';
import type { JsonObject } from '../json/index.ts';
import { zlib } from '../platform/index.ts';
import type { Attribute } from './table.ts';

/** Below this many characters compression is not tried: it would save less than a write unit. */
const WORTH_COMPRESSING = 512;

/**
 * Below this many characters, the dictionary's included, deflate is as small as Zstandard, and takes a third of its
 * time: what sets Zstandard up outweighs its speed.
 */
const WORTH_ZSTANDARD = 4_096;

/** The first byte of every zlib stream (RFC 1950) of the usual window; that of a Zstandard frame is 0x28. */
const ZLIB = 0x78;

/**
 * JSON, whose text the caller may have, as text, or compressed to bytes where that makes it smaller: by zlib, or by
 * Zstandard where it is larger. Parts that are also in `dictionary` cost almost nothing. The decoder needs it too.
 */
export function encodeBody(
  body: JsonObject,
  text = JSON.stringify(body),
  dictionary?: string,
): string | Uint8Array {
  if (text.length < WORTH_COMPRESSING) return text;
  const isSmall = text.length + (dictionary?.length ?? 0) < WORTH_ZSTANDARD;
  const options = withDictionary(dictionary);
  const compressed = isSmall
    ? zlib().deflateSync(text, { ...options, chunkSize: WORTH_ZSTANDARD })
    : zlib().zstdCompressSync(text, options);
  return compressed.byteLength < Buffer.byteLength(text) ? compressed : text;
}

/** What was encoded with the dictionary, or without any. */
export function decodeBody(encoded: Attribute | undefined, dictionary?: string): JsonObject {
  return JSON.parse(decodeText(encoded, dictionary));
}

export function decodeText(encoded: Attribute | undefined, dictionary?: string): string {
  if (typeof encoded === 'string') return encoded;
  const bytes = encoded as Uint8Array;
  if (bytes[0] !== ZLIB) return zlib().zstdDecompressSync(bytes, withDictionary(dictionary)).toString();
  return zlib()
    .inflateSync(bytes, { ...withDictionary(dictionary), chunkSize: WORTH_ZSTANDARD })
    .toString();
}

function withDictionary(dictionary: string | undefined): ZstdOptions & ZlibOptions {
  return dictionary === undefined ? {} : { dictionary: Buffer.from(dictionary) };
}

export function encodedBytes(encoded: string | Uint8Array): number {
  return typeof encoded === 'string' ? Buffer.byteLength(encoded) : encoded.byteLength;
}
