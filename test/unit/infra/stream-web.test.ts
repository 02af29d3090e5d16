import { Readable } from 'node:stream';
import * as web from 'node:stream/web';
import { expect, it } from '@jest/globals';
import { ReadableStream } from '../../../infra/bundle/stream-web.ts';

it('the stand-in for node:stream/web recognizes web streams', () => {
  const values = [
    new web.ReadableStream(),
    Readable.toWeb(Readable.from(['a'])),
    Readable.from(['a']),
    {},
    'text',
    undefined,
  ];
  const known = values.map(
    (value) => value instanceof (ReadableStream as unknown as typeof web.ReadableStream),
  );
  expect(known).toEqual([true, true, false, false, false, false]);
});
