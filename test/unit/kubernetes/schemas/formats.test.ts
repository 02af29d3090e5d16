import { describe, expect, it } from '@jest/globals';
import { formatCheck } from '../../../../lib/kubernetes/schemas/formats.ts';

/** For each format: texts that k8s.io/kube-openapi/pkg/validation/strfmt accepts, and texts that it refuses. */
const TEXTS: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
  [
    'date-time',
    ['2014-12-15T19:30:20.000Z', '2014-12-15t19:30:20+01:00'],
    ['2014-12-15', '2014-13-15T19:30:20Z', '2014-12-15T24:30:20Z'],
  ],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9']],
  ['duration', ['1h30m', '22 ns', '3 days', '0'], ['x', '', '1']],
  ['ipv4', ['1.2.3.4', '010.0.0.1'], ['1.2.3', '::1', '256.1.1.1']],
  ['ipv6', ['::1', 'fe80::1'], ['1.2.3.4', 'x']],
  ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/8/8']],
  ['mac', ['01:02:03:04:05:06', '0102.0304.0506'], ['01:02:03', '01:02:03:04:05:0g']],
  [
    'uuid',
    ['00000000-0000-0000-0000-00000000000A', '00000000000000000000000000000000'],
    ['x', '00000000-0000-0000-0000'],
  ],
  ['uuid4', ['00000000-0000-4000-8000-000000000000'], ['00000000-0000-3000-8000-000000000000']],
  ['uri', ['https://example.com/a?b=c', '/path'], ['example.com', 'a b', '']],
  ['email', ['a@example.com', 'A <a@example.com>'], ['a', 'a@']],
  ['hostname', ['example.com', 'localhost', '1x.example.com'], ['a_b', '-a.com', 'example.c']],
  ['byte', ['YQ==', 'YWJj'], ['!', 'YQ=', '']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '1']],
  ['creditcard', ['4111-1111-1111-1111'], ['4111-1111-1111-1112']],
  ['ssn', ['111-11-1111'], ['11-11-1111']],
  ['hexcolor', ['#FFFFFF', 'abc'], ['#ff', 'red']],
  ['rgbcolor', ['rgb(255,255,255)', 'rgb(0, 1, 2)'], ['rgb(256,0,0)', 'rgb(1,2)']],
  ['bsonobjectid', ['5f50c31f5b5f5b5f5b5f5b5f'], ['x']],
  ['password', ['anything'], []],
];

describe('a format', () => {
  it.each(TEXTS)('the format %s is checked as Kubernetes checks it', (format, good, bad) => {
    const check = formatCheck(format) ?? (() => undefined);
    expect(good.filter((text) => !check(text))).toEqual([]);
    expect(bad.filter((text) => check(text))).toEqual([]);
  });

  it.each(['int32', 'int64', 'double', 'nonsense', ''])('the format %p is not checked', (format) => {
    expect(formatCheck(format)).toBeUndefined();
  });
});
