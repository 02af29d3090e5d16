import { expect, it } from '@jest/globals';
import { WireWriter } from '../../../../lib/server/documents/wire-writer.ts';

it.each([
  ['0', 0, '00'],
  ['1', 1, '01'],
  ['300', 300, 'ac02'],
  ['2^53 - 1', Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ['-1 in ten bytes', -1, 'ffffffffffffffffff01'],
  ['-128 in ten bytes', -128, '80ffffffffffffffff01'],
])('WireWriter writes the int64 %s as Protocol Buffers do', (_, value, bytes) => {
  const writer = new WireWriter();
  writer.varint(12, value);
  expect(Buffer.from(writer.bytes()).toString('hex')).toBe(`60${bytes}`);
});
