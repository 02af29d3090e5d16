import type { ChangeStretch } from '../../store/index.ts';

/** The front of a stretch whose changes take no more than `most` bytes of the heap: one change at least. */
export function fittingStretch({ changes, upTo }: ChangeStretch, most: number): ChangeStretch {
  let heap = 0;
  const end = changes.findIndex((change, index) => {
    heap += change.heap;
    return index > 0 && heap > most;
  });
  if (end < 0) return { changes, upTo };
  const fitting = changes.slice(0, end);
  return { changes: fitting, upTo: fitting.at(-1)?.rv ?? upTo };
}
