import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeBody, encodeBody, encodedBytes, encodeFamiliar } from '../../../lib/store/body/body-codec.ts';
import { FAMILIAR_JSON } from '../../../lib/store/body/familiar-json.ts';

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

/** A pod as the API stores it, with its field managers. */
const pod = (containers: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-0',
    namespace: 'shop',
    uid: '71d39dd6-eacc-4720-bed4-558679dcc991',
    creationTimestamp: '2026-11-30T20:37:54Z',
    labels: { app: 'web' },
    managedFields: [
      {
        manager: 'kubectl',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-11-30T20:37:54Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
      },
    ],
  },
  spec: {
    containers: Array.from({ length: containers }, (_, index) => ({
      name: `container-${index}`,
      image: `registry.example/web:${index}`,
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: 'IfNotPresent',
    })),
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
  },
});

describe('a body with text that bodies have in common', () => {
  it.each([
    ['a short one', 1, 0.6],
    ['one of some KB', 15, 0.85],
  ])('takes less than without the common text: %s', (_, containers, most) => {
    const body = pod(containers);
    const encoded = encodeFamiliar(body);
    expect(encodedBytes(encoded)).toBeLessThan(most * encodedBytes(encodeBody(body)));
    expect(decodeBody(encoded)).toEqual(body);
  });

  it('is text if it is short, and is compressed by Zstandard from 16,384 characters on', () => {
    const filled = (length: number) => ({ t: 'é'.repeat(length - '{"t":""}'.length) });
    const first = (length: number) => Buffer.from(encodeFamiliar(filled(length)))[0];
    expect([511, 512, 16_383, 16_384].map(first)).toEqual([0x7b, 0x78, 0x78, 0x28]);
    for (const length of [511, 512, 16_383, 16_384]) {
      expect(decodeBody(encodeFamiliar(filled(length)))).toEqual(filled(length));
    }
  });

  it('is stored with a text that never changes', () => {
    const digest = createHash('sha256').update(FAMILIAR_JSON).digest('hex');
    expect(digest).toBe('07c6c74c92cf36e38c522987d317104eafc910e13f81fee2aefc8ca29bce08c3');
  });
});
