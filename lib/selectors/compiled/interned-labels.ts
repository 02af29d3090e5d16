import type { Vocabulary } from './vocabulary.ts';

/**
 * The labels of one object as integers of one {@link Vocabulary}; made by `vocabulary.labelSet`. What stands at a
 * key's place is the key's pair, another key's, or none: so whoever asks compares pairs, or asks the pair's key.
 */
export class InternedLabels {
  readonly vocabulary: Vocabulary;
  /** The pairs, in the order of the labels. */
  readonly pairs: Int32Array;
  /** Pairs by `Math.imul(key, multiplier) >>> shift`, where no two keys of the set meet; 0 is none. */
  readonly slots: Int32Array;
  readonly multiplier: number;
  readonly shift: number;
  /** The highest pair. */
  readonly newest: number;
  /** Pairs by key, of a set too large to be spread over slots. */
  readonly crowd: ReadonlyMap<number, number> | undefined;

  constructor(vocabulary: Vocabulary, keys: readonly number[], pairs: readonly number[]) {
    this.vocabulary = vocabulary;
    this.pairs = Int32Array.from(pairs);
    this.newest = pairs.reduce((newest, pair) => Math.max(newest, pair), 0);
    const { slots, multiplier, shift } = spread(keys, pairs) ?? NOWHERE;
    this.slots = slots;
    this.multiplier = multiplier;
    this.shift = shift;
    this.crowd =
      slots === NOWHERE.slots ? new Map(keys.map((key, at) => [key, pairs[at] as number])) : undefined;
  }
}

interface Slots {
  readonly slots: Int32Array;
  readonly multiplier: number;
  readonly shift: number;
}

const NOWHERE: Slots = { slots: new Int32Array(1), multiplier: 0, shift: 31 };
/** Beyond these the search for a free place for everyone takes long and much space. */
const MOST_LABELS = 32;
const MOST_BITS = 10;
/** Odd numbers of good spread; the first that parts the keys serves. */
const MULTIPLIERS = [
  0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1, 0xd3a2646d, 0xfd7046c5, 0xb55a4f09,
];

/** Places such that no two keys meet, or undefined for a set too large. */
function spread(keys: readonly number[], pairs: readonly number[]): Slots | undefined {
  if (keys.length > MOST_LABELS) return undefined;
  const least = Math.max(1, 33 - Math.clz32(keys.length));
  for (let bits = least; bits <= MOST_BITS; bits++) {
    for (const multiplier of MULTIPLIERS) {
      const shift = 32 - bits;
      const slots = place(keys, pairs, { slots: new Int32Array(1 << bits), multiplier, shift });
      if (slots !== undefined) return slots;
    }
  }
  return undefined;
}

function place(keys: readonly number[], pairs: readonly number[], into: Slots): Slots | undefined {
  for (const [at, key] of keys.entries()) {
    const slot = Math.imul(key, into.multiplier) >>> into.shift;
    if (into.slots[slot] !== 0) return undefined;
    into.slots[slot] = pairs[at] as number;
  }
  return into;
}
