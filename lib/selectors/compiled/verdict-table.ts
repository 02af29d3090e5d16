import type { Selector } from '../selector.ts';
import type { InternedLabels } from './interned-labels.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A bit a requirement. */
const MOST_REQUIREMENTS = 31;

/**
 * What each pair of a vocabulary says to one selector: a bit for each requirement on its key, set where the pair
 * meets a positive requirement or breaks a negative one. Matching is then the union over an object's pairs, with no
 * decision on the way. It costs a pass over the pairs to make, so it is for a selector that meets many label sets.
 */
export class VerdictTable {
  /** By pair. Pairs numbered since it was made are not in it. */
  readonly bits: Int32Array;
  /** The union must be exactly this: all positive requirements met, no negative one broken. */
  readonly wanted: number;

  constructor(vocabulary: Vocabulary, selector: Selector) {
    this.bits = new Int32Array(vocabulary.size + 1);
    let wanted = 0;
    for (const [at, requirement] of selector.requirements.entries()) {
      const negative = requirement.matches({});
      if (!negative) wanted |= 1 << at;
      for (const [value, pair] of vocabulary.pairsOf(requirement.key)) {
        const met = requirement.matches(new Map([[requirement.key, value]]));
        if (met !== negative) this.bits[pair] = (this.bits[pair] as number) | (1 << at);
      }
    }
    this.wanted = wanted;
  }

  static serves(selector: Selector): boolean {
    const { length } = selector.requirements;
    // One or two are found by their keys as fast.
    return length > 2 && length <= MOST_REQUIREMENTS;
  }

  matches({ pairs }: InternedLabels): boolean {
    const { bits } = this;
    let union = 0;
    for (let at = 0; at < pairs.length; at++) union |= bits[pairs[at] as number] as number;
    return union === this.wanted;
  }
}
