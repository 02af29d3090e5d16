import type { Numbers } from './numbers.ts';
import { CROWDED, type Places, spread } from './places.ts';

/** The labels of one object as integers of a vocabulary; created by `vocabulary.labelSet`. */
export class InternedLabels {
  readonly vocabulary: Numbers;
  /** The pairs, in the order of the labels. */
  readonly pairs: readonly number[];
  /** Created at the first lookup of a pair. */
  #places: Places | undefined;

  constructor(vocabulary: Numbers, pairs: readonly number[]) {
    this.vocabulary = vocabulary;
    this.pairs = pairs;
  }

  /** The pair of a key; 0 if there is none. */
  pairOf(key: number): number {
    this.#places ??= spread(this);
    const places = this.#places;
    if (places === CROWDED) return this.seekPair(key);
    const pair = places.pairs[Math.imul(key, places.multiplier) >>> places.shift] as number;
    return this.vocabulary.keyOf(pair) === key ? pair : 0;
  }

  /** Like `pairOf`, for a single lookup: it scans the pairs and builds no table. */
  seekPair(key: number): number {
    const { pairs, vocabulary } = this;
    for (let at = 0; at < pairs.length; at++) {
      const pair = pairs[at] as number;
      if (vocabulary.keyOf(pair) === key) return pair;
    }
    return 0;
  }
}
