import type { Selector } from '../selector.ts';
import { expectRoom, expectSameVocabulary } from './expect.ts';
import type { InternedLabels } from './interned-labels.ts';
import type { Numbers } from './numbers.ts';
import { Postings } from './postings.ts';
import { ABOVE, accepts, BELOW, compile, LISTED, type Step } from './step.ts';

/**
 * Many selectors that are matched against one label set after another; created by `vocabulary.compileAll`. Matching
 * goes from labels to selectors. Each pair and each key lists the selectors with a requirement that it meets, and those
 * with a requirement that it breaks. A requirement concerns one key, so no two labels meet the same requirement. Unmet
 * and broken requirements can thus be counted together: a selector matches when the count is 0.
 */
export class CompiledSelectors {
  readonly vocabulary: Numbers;
  readonly #meets: Postings;
  readonly #breaks: Postings;
  readonly #comparisons: ReadonlyMap<number, readonly Comparison[]>;
  /** The number of requirements that a label must meet, by selector. */
  readonly #required: Int32Array;
  /** The number of unmet and broken requirements for the current label set, by selector. */
  readonly #faults: Int32Array;

  constructor(vocabulary: Numbers, selectors: readonly Selector[]) {
    this.vocabulary = vocabulary;
    const meets = new Filing();
    const breaks = new Filing();
    const comparisons = new Map<number, Comparison[]>();
    const required = new Int32Array(selectors.length);
    for (const [at, selector] of selectors.entries()) {
      for (const step of compile(vocabulary, selector)) {
        const isMet = isMetByLabel(step);
        if (isMet) required[at] = (required[at] as number) + 1;
        if (isComparison(step)) {
          file(comparisons, step.key, { selector: at, step });
        } else {
          (isMet ? meets : breaks).add(step, at);
        }
      }
    }
    this.#meets = meets.postings();
    this.#breaks = breaks.postings();
    this.#comparisons = comparisons;
    this.#required = required;
    this.#faults = required.slice();
  }

  /**
   * Writes the indexes of the matching selectors to `found`, ascending, and returns their number.
   * @param found at least as long as the list of selectors
   * @throws RangeError if it is shorter; TypeError if the labels belong to another vocabulary
   */
  select(labels: InternedLabels, found: Int32Array): number {
    expectSameVocabulary(this, labels);
    expectRoom(found, this.#required.length);
    this.#faults.set(this.#required);
    const { pairs } = labels;
    for (let at = 0; at < pairs.length; at++) {
      const pair = pairs[at] as number;
      const key = this.vocabulary.keyOf(pair);
      this.#count(this.#meets, pairFact(pair), -1);
      this.#count(this.#meets, keyFact(key), -1);
      this.#count(this.#breaks, pairFact(pair), 1);
      this.#count(this.#breaks, keyFact(key), 1);
      if (this.#comparisons.size > 0) this.#compare(key, pair);
    }
    return this.#collect(found);
  }

  #count(postings: Postings, fact: number, amount: number): void {
    const faults = this.#faults;
    const { items } = postings;
    const end = postings.end(fact);
    for (let at = postings.start(fact); at < end; at++) {
      const selector = items[at] as number;
      faults[selector] = (faults[selector] as number) + amount;
    }
  }

  #compare(key: number, pair: number): void {
    for (const { selector, step } of this.#comparisons.get(key) ?? []) {
      if (accepts(step, pair, this.vocabulary)) {
        this.#faults[selector] = (this.#faults[selector] as number) - 1;
      }
    }
  }

  /** Writes every selector and advances by 0 or 1, as `Column.keep` does. */
  #collect(found: Int32Array): number {
    const faults = this.#faults;
    let count = 0;
    for (let at = 0; at < faults.length; at++) {
      const left = faults[at] as number;
      found[count] = at;
      // 1 if `left` is 0: of any other integer, it or its negative has the sign bit.
      count += 1 - ((left | -left) >>> 31);
    }
    return count;
  }
}

interface Comparison {
  readonly selector: number;
  readonly step: Step;
}

/** The input of postings: facts about labels, and the selectors that they concern. */
class Filing {
  readonly #facts: number[] = [];
  readonly #selectors: number[] = [];

  add({ key, pairs }: Step, selector: number): void {
    for (const pair of pairs) {
      this.#facts.push(pair === 0 ? keyFact(key) : pairFact(pair));
      this.#selectors.push(selector);
    }
  }

  postings(): Postings {
    return new Postings(this.#facts, this.#selectors);
  }
}

function pairFact(pair: number): number {
  return pair * 2;
}

function keyFact(key: number): number {
  return key * 2 + 1;
}

function isComparison({ demand }: Step): boolean {
  return demand === ABOVE || demand === BELOW;
}

/** Whether a label must meet the step. The others, `!=`, `notin` and `!`, hold unless a label breaks them. */
function isMetByLabel(step: Step): boolean {
  return isComparison(step) || (step.demand === LISTED) !== (step.pairs[0] === 0);
}

function file(comparisons: Map<number, Comparison[]>, key: number, comparison: Comparison): void {
  const filed = comparisons.get(key);
  if (filed === undefined) {
    comparisons.set(key, [comparison]);
  } else {
    filed.push(comparison);
  }
}
