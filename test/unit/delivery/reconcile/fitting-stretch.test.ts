import { describe, expect, it } from '@jest/globals';
import { fittingStretch } from '../../../../lib/delivery/reconcile/fitting-stretch.ts';
import type { JournalChange } from '../../../../lib/store/index.ts';

/** Changes from resourceVersion 2 on that take these bytes of the heap, followed by a hole. */
const stretchOf = (...heaps: readonly number[]) => {
  const changes = heaps.map((heap, at) => ({ rv: at + 2, heap }) as JournalChange);
  return { changes, upTo: heaps.length + 2 };
};

const fitting = (heaps: readonly number[], most: number) => {
  const { changes, upTo } = fittingStretch(stretchOf(...heaps), most);
  return [changes.map(({ rv }) => rv), upTo];
};

describe('the front of a change range that fits into memory', () => {
  it('the front is the whole range if it fits exactly', () => {
    expect(fitting([], 10)).toEqual([[], 2]);
    expect(fitting([4, 3, 3], 10)).toEqual([[2, 3, 4], 5]);
  });

  it('the front ends with the last change that fits', () => {
    expect(fitting([4, 3, 4, 1], 10)).toEqual([[2, 3], 3]);
    expect(fitting([4, 7, 1], 10)).toEqual([[2], 2]);
  });

  it('the front has at least one change', () => {
    expect(fitting([20], 10)).toEqual([[2], 3]);
    expect(fitting([20, 1], 10)).toEqual([[2], 2]);
  });
});
