import type { Numbers } from './numbers.ts';

/**
 * A perfect hash table of a label set's pairs. A key's place is `Math.imul(key, multiplier) >>> shift`, and no two
 * keys of the set share a place. 0 means empty. The place of a key that the set lacks may hold another key's pair.
 */
export interface Places {
  readonly pairs: Int32Array;
  readonly multiplier: number;
  readonly shift: number;
}

/** Stands for a set whose labels have no collision-free table. */
export const CROWDED: Places = /* @__PURE__ */ places(0, 0);

/** The limits of the search for a table: beyond them it takes too long and too much space. */
const MOST_LABELS = 32;
const MOST_BITS = 10;
/** Odd numbers that spread keys well. */
const MULTIPLIERS = [
  0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09,
];

/** The pairs of a label set, as numbers of a vocabulary. */
interface Numbered {
  readonly vocabulary: Numbers;
  readonly pairs: readonly number[];
}

/** Builds the table of a label set with the first multiplier that separates its keys. */
export function spread(labels: Numbered): Places {
  const { length } = labels.pairs;
  if (length > MOST_LABELS) return CROWDED;
  const leastBits = Math.max(1, 33 - Math.clz32(length));
  for (let bits = leastBits; bits <= MOST_BITS; bits++) {
    for (const multiplier of MULTIPLIERS) {
      const empty = places(bits, multiplier);
      if (fill(empty, labels)) return empty;
    }
  }
  return CROWDED;
}

/** @returns false if two keys collide */
function fill({ pairs, multiplier, shift }: Places, labels: Numbered): boolean {
  for (const pair of labels.pairs) {
    const place = Math.imul(labels.vocabulary.keyOf(pair), multiplier) >>> shift;
    if (pairs[place] !== 0) return false;
    pairs[place] = pair;
  }
  return true;
}

function places(bits: number, multiplier: number): Places {
  return { pairs: new Int32Array(1 << bits), multiplier: multiplier | 0, shift: 32 - bits };
}
