import type { ChangeRange } from '../../store/index.ts';

/** The front of a change range whose changes take at most `most` bytes of heap, but at least one change. */
export function fittingStretch({ changes, upTo }: ChangeRange, most: number): ChangeRange {
  let heap = 0;
  const end = changes.findIndex((change, index) => {
    heap += change.heap;
    return index > 0 && heap > most;
  });
  const last = changes[end - 1];
  return last === undefined ? { changes, upTo } : { changes: changes.slice(0, end), upTo: last.rv };
}
