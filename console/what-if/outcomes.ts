import type { LabelWrite, Outcome } from './write-labels.ts';

/** A write, and what became of it; without an outcome it was not begun. */
export interface Done {
  readonly write: LabelWrite;
  readonly outcome: Outcome | undefined;
}

/** Why an object does not have its new labels, or may not have them. Empty if it has them. */
export function troubleOf({ outcome }: Done): string {
  switch (outcome?.what) {
    case undefined:
      return 'not begun: you stopped';
    case 'written':
      return '';
    case 'changed':
      return 'changed meanwhile, and left as it is';
    case 'gone':
      return 'deleted meanwhile';
    case 'refused':
      return outcome.reason;
    case 'unknown':
      return `the answer was lost${LOST[String(outcome.isThere)]}`;
    default:
      return outcome satisfies never;
  }
}

const LOST: Readonly<Record<string, string>> = {
  true: '; the object has the new labels',
  false: '; the object does not have the new labels',
  undefined: ', and so was that of a read: look at the object',
};

/** A sentence about all writes: `Relabelled 11 of 12 objects`. */
export function summaryOf(done: readonly Done[], verb: string): string {
  const written = done.filter(({ outcome }) => outcome?.what === 'written').length;
  if (written === done.length) return `${verb} ${counted(written, 'object')}`;
  return `${verb} ${written} of ${counted(done.length, 'object')}`;
}

/** A number with its noun: `1 object`, `1,200 objects`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
