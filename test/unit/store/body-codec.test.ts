import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeBody, encodeBody, encodedBytes } from '../../../lib/store/body-codec.ts';

const noise = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 88) }, (_, index) =>
    createHash('sha512').update(String(index)).digest('base64'),
  ).join('');

describe('a stored body', () => {
  it.each([
    ['is text where it is short', { text: 'x'.repeat(400) }, 'string'],
    ['is compressed where that makes it smaller', { text: 'x'.repeat(5_000) }, 'object'],
    ['is compressed where that makes it a little smaller', { text: noise(5_000) }, 'object'],
  ])('%s, and never larger than its JSON', (_, body, type) => {
    const encoded = encodeBody(body);
    expect(typeof encoded).toBe(type);
    expect(encodedBytes(encoded)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(body)));
    expect(decodeBody(encoded)).toEqual(body);
  });

  it('takes next to nothing where it stands in the dictionary as well', () => {
    const body = { text: noise(5_000) };
    const dictionary = JSON.stringify({ more: 1, text: body.text });
    const encoded = encodeBody(body, undefined, dictionary);
    expect(encodedBytes(encoded)).toBeLessThan(100);
    expect(decodeBody(encoded, dictionary)).toEqual(body);
  });

  it('is what it was where it was encoded without the dictionary that is at hand', () => {
    const body = { text: 'x'.repeat(5_000) };
    expect(decodeBody(encodeBody(body), JSON.stringify({ text: noise(5_000) }))).toEqual(body);
  });
});
