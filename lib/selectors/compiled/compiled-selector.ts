import type { Selector } from '../selector.ts';
import { expectRoom, expectSameVocabulary } from './expect.ts';
import type { InternedLabels } from './interned-labels.ts';
import type { LabelSets } from './label-sets.ts';
import { accepts, compile, type Step } from './step.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One selector in the integers of a {@link Vocabulary}; made by `vocabulary.compile`. */
export class CompiledSelector {
  readonly vocabulary: Vocabulary;
  readonly #steps: readonly Step[];

  constructor(vocabulary: Vocabulary, selector: Selector) {
    this.vocabulary = vocabulary;
    this.#steps = compile(vocabulary, selector);
  }

  /**
   * As `selector.matches`, without touching a string. Over many label sets {@link select} is several times faster.
   * @throws TypeError where the labels are of another vocabulary
   */
  matches(labels: InternedLabels): boolean {
    expectSameVocabulary(this, labels);
    const steps = this.#steps;
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at] as Step;
      if (!accepts(step, labels.pairOf(step.key), this.vocabulary)) return false;
    }
    return true;
  }

  /**
   * Writes the indexes of the label sets that match to `found`, ascending, and returns how many they are.
   * @param found as long as `sets`
   * @throws RangeError where it is shorter, TypeError where the label sets are of another vocabulary
   */
  select(sets: LabelSets, found: Int32Array): number {
    expectSameVocabulary(this, sets);
    expectRoom(found, sets.length);
    let count = sets.length;
    for (let at = 0; at < count; at++) found[at] = at;
    const steps = this.#steps;
    // By index: inside a `for … of` the engine compiles the loop over the column to half its speed.
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at] as Step;
      count = sets.column(step.key).keep(step, found, count);
    }
    return count;
  }
}
