import { describe, expect, it } from '@jest/globals';
import { valueAt } from '../../../lib/json/index.ts';

describe('the value at a path', () => {
  it.each([
    ['spec.size', 3],
    ['spec', { size: 3, list: ['x'], text: 'abc' }],
    ['spec.none', undefined],
    ['spec.none.size', undefined],
    ['spec.text.0', undefined],
    ['spec.list.0', undefined],
    ['spec.toString', undefined],
  ])('%s', (path, value) => {
    expect(valueAt({ spec: { size: 3, list: ['x'], text: 'abc' } }, path)).toEqual(value);
  });
});
