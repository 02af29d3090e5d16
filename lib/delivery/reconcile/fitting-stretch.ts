import type { ChangeRange } from '../../store/index.ts';

/** The front of a stretch whose changes take no more than `most` bytes of the heap: one change at least. */
export function fittingStretch({ changes, upTo }: ChangeRange, most: number): ChangeRange {
  let heap = 0;
  const end = changes.findIndex((change, index) => {
    heap += change.heap;
    return index > 0 && heap > most;
  });
  const last = changes[end - 1];
  return last === undefined ? { changes, upTo } : { changes: changes.slice(0, end), upTo: last.rv };
}
