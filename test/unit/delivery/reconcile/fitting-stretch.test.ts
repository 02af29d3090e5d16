import { describe, expect, it } from '@jest/globals';
import { fittingStretch } from '../../../../lib/delivery/reconcile/fitting-stretch.ts';
import type { JournalChange } from '../../../../lib/store/index.ts';

/** Changes from 2 on, which take these bytes of the heap; behind them a hole. */
const stretchOf = (...heaps: readonly number[]) => {
  const changes = heaps.map((heap, at) => ({ rv: at + 2, heap }) as JournalChange);
  return { changes, upTo: heaps.length + 2 };
};

const fitting = (heaps: readonly number[], most: number) => {
  const { changes, upTo } = fittingStretch(stretchOf(...heaps), most);
  return [changes.map(({ rv }) => rv), upTo];
};

describe('the front of a stretch', () => {
  it('is all of it where that fits, to the byte', () => {
    expect(fitting([], 10)).toEqual([[], 2]);
    expect(fitting([4, 3, 3], 10)).toEqual([[2, 3, 4], 5]);
  });

  it('ends with the last change that fits', () => {
    expect(fitting([4, 3, 4, 1], 10)).toEqual([[2, 3], 3]);
    expect(fitting([4, 7, 1], 10)).toEqual([[2], 2]);
  });

  it('is one change at least', () => {
    expect(fitting([20], 10)).toEqual([[2], 3]);
    expect(fitting([20, 1], 10)).toEqual([[2], 2]);
  });
});
