import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeBody, encodeBody, encodedBytes } from '../../../lib/store/body-codec.ts';

const noise = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 88) }, (_, index) =>
    createHash('sha512').update(String(index)).digest('base64'),
  ).join('');

describe('a stored body', () => {
  it.each([
    ['is text if it is short', { text: 'x'.repeat(400) }, 'string'],
    ['is compressed if that makes it smaller', { text: 'x'.repeat(5_000) }, 'object'],
    ['is compressed if that makes it a little smaller', { text: noise(5_000) }, 'object'],
    ['is compressed if it is small', { text: noise(1_000) }, 'object'],
  ])('%s, and is never larger than its JSON', (_, body, type) => {
    const encoded = encodeBody(body);
    expect(typeof encoded).toBe(type);
    expect(encodedBytes(encoded)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(body)));
    expect(decodeBody(encoded)).toEqual(body);
  });

  it.each([
    ['small', 1_000, 0x78],
    ['large', 5_000, 0x28],
  ])('takes next to nothing for %s text that the dictionary holds too', (_, size, first) => {
    const body = { text: noise(size) };
    const dictionary = JSON.stringify({ more: 1, text: body.text });
    const encoded = encodeBody(body, undefined, dictionary);
    expect(encodedBytes(encoded)).toBeLessThan(100);
    expect(Buffer.from(encoded)[0]).toBe(first);
    expect(decodeBody(encoded, dictionary)).toEqual(body);
  });

  it('is compressed by zlib up to 4,095 characters, and by Zstandard above', () => {
    const filled = (length: number) => ({ t: 'é'.repeat(length - '{"t":""}'.length) });
    const first = (length: number) => Buffer.from(encodeBody(filled(length)))[0];
    expect([first(4_095), first(4_096)]).toEqual([0x78, 0x28]);
    for (const length of [512, 4_095, 4_096]) {
      expect(decodeBody(encodeBody(filled(length)))).toEqual(filled(length));
    }
  });

  it('is decoded if it was encoded without the current dictionary', () => {
    for (const length of [1_000, 5_000]) {
      const body = { text: 'x'.repeat(length) };
      expect(decodeBody(encodeBody(body), JSON.stringify({ text: noise(5_000) }))).toEqual(body);
    }
  });
});
