import * as util from 'node:util';
import { expect, it } from '@jest/globals';
import { isDeepStrictEqual } from '../../../infra/bundle/util.ts';

it.each([
  [{ a: [1] }, { a: [1] }],
  [{ a: [1] }, { a: ['1'] }],
  [{ a: undefined }, {}],
  [undefined, undefined],
])('The equality of %j and %j is that of node:util', (one, other) => {
  expect(isDeepStrictEqual(one, other)).toBe(util.isDeepStrictEqual(one, other));
});
