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
});
