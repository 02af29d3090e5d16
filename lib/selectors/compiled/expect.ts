import type { Numbers } from './numbers.ts';

interface Numbered {
  readonly vocabulary: Numbers;
}

/** @throws TypeError if the two belong to different vocabularies */
export function expectSameVocabulary(asked: Numbered, given: Numbered): void {
  if (asked.vocabulary !== given.vocabulary) {
    throw new TypeError('labels and selector are numbered by different vocabularies');
  }
}

/** @throws RangeError if there is no room for all results */
export function expectRoom(found: Int32Array, count: number): void {
  if (found.length < count) {
    throw new RangeError(`up to ${count} may be found, and there is room for ${found.length}`);
  }
}
