import * as util from 'node:util';
import { expect, it } from '@jest/globals';
import { isDeepStrictEqual } from '../../../infra/bundle/util.ts';

it.each([
  [{ a: [1] }, { a: [1] }],
  [{ a: [1] }, { a: ['1'] }],
  [{ a: undefined }, {}],
  [undefined, undefined],
])('isDeepStrictEqual compares %j and %j as node:util does', (one, other) => {
  expect(isDeepStrictEqual(one, other)).toBe(util.isDeepStrictEqual(one, other));
});
