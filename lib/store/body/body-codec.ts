import type { ZlibOptions, ZstdOptions } from 'node:zlib';
import type { JsonObject } from '../../json/index.ts';
import { zlib } from '../../platform/index.ts';
import type { Attribute } from '../table.ts';
import { FAMILIAR_JSON } from './familiar-json.ts';

/** Shorter texts are not compressed: that would save less than a write unit. */
const WORTH_COMPRESSING = 512;

/**
 * Below this many characters, including the dictionary's, deflate compresses as well as Zstandard in a third of the
 * time: the setup of Zstandard outweighs its speed.
 */
const WORTH_ZSTANDARD = 4_096;

/**
 * Below this many characters, deflate with {@link FAMILIAR_JSON} makes a body smaller than Zstandard does, and is
 * decoded as fast.
 */
const MOST_FAMILIAR = 16_384;

/**
 * The first byte of every zlib stream (RFC 1950) with the usual window, and that of JSON text, which chunks may hold as
 * bytes. That of a Zstandard frame is 0x28.
 */
const ZLIB = 0x78;
const BRACE = 0x7b;
/** The bit of the second byte of a zlib stream that says that it needs a dictionary. */
const NEEDS_DICTIONARY = 0x20;

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
  return smaller(text, isSmall ? deflated(text, options) : zlib().zstdCompressSync(text, options));
}

/**
 * Encodes JSON as {@link encodeBody} does, but the text that bodies have in common costs almost nothing. Releases that
 * do not know the row schema `FAMILIAR_SCHEMA` cannot decode it.
 */
export function encodeFamiliar(body: JsonObject, text = JSON.stringify(body)): string | Uint8Array {
  const isFamiliar = text.length >= WORTH_COMPRESSING && text.length < MOST_FAMILIAR;
  return isFamiliar ? smaller(text, deflated(text, { dictionary: FAMILIAR_JSON })) : encodeBody(body, text);
}

function smaller(text: string, compressed: Uint8Array): string | Uint8Array {
  return compressed.byteLength < Buffer.byteLength(text) ? compressed : text;
}

function deflated(text: string, options: ZlibOptions): Uint8Array {
  return zlib().deflateSync(text, { ...options, chunkSize: WORTH_ZSTANDARD });
}

/** Decodes a body that was encoded with this dictionary, with {@link FAMILIAR_JSON}, or without any. */
export function decodeBody(encoded: Attribute | undefined, dictionary?: string): JsonObject {
  return JSON.parse(decodeText(encoded, dictionary));
}

export function decodeText(encoded: Attribute | undefined, dictionary?: string): string {
  if (typeof encoded === 'string') return encoded;
  const bytes = encoded as Uint8Array;
  if (bytes[0] === BRACE) return Buffer.from(bytes).toString();
  const options = withDictionary(dictionary);
  if (bytes[0] !== ZLIB) return zlib().zstdDecompressSync(bytes, options).toString();
  const needsOne = ((bytes[1] ?? 0) & NEEDS_DICTIONARY) !== 0;
  const isFamiliar = needsOne && dictionary === undefined;
  return zlib()
    .inflateSync(bytes, {
      ...(isFamiliar ? { dictionary: FAMILIAR_JSON } : options),
      chunkSize: WORTH_ZSTANDARD,
    })
    .toString();
}

function withDictionary(dictionary: string | undefined): ZstdOptions & ZlibOptions {
  return dictionary === undefined ? {} : { dictionary: Buffer.from(dictionary) };
}

export function encodedBytes(encoded: string | Uint8Array): number {
  return typeof encoded === 'string' ? Buffer.byteLength(encoded) : encoded.byteLength;
}
