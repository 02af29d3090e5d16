import type { ZlibOptions, ZstdOptions } from 'node:zlib';
import type { JsonObject } from '../json/index.ts';
import { zlib } from '../platform/index.ts';
import type { Attribute } from './table.ts';

/** Shorter texts are not compressed: that would save less than a write unit. */
const WORTH_COMPRESSING = 512;

/**
 * Below this many characters, including the dictionary's, deflate compresses as well as Zstandard in a third of the
 * time: the setup of Zstandard outweighs its speed.
 */
const WORTH_ZSTANDARD = 4_096;

/**
 * The first byte of every zlib stream (RFC 1950) with the usual window, and that of JSON text, which chunks may hold as
 * bytes. That of a Zstandard frame is 0x28.
 */
const ZLIB = 0x78;
const BRACE = 0x7b;

/**
 * Encodes JSON as text, or as compressed bytes if they are smaller: zlib for short texts, Zstandard for longer ones.
 * `text` is the body's JSON, if the caller has it already. Parts that are also in `dictionary` cost almost nothing;
 * the decoder needs the same dictionary.
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

/** Decodes a body that was encoded with this dictionary, or without any. */
export function decodeBody(encoded: Attribute | undefined, dictionary?: string): JsonObject {
  return JSON.parse(decodeText(encoded, dictionary));
}

export function decodeText(encoded: Attribute | undefined, dictionary?: string): string {
  if (typeof encoded === 'string') return encoded;
  const bytes = encoded as Uint8Array;
  if (bytes[0] === BRACE) return Buffer.from(bytes).toString();
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
