import type { Selector } from '../selector.ts';
import type { InternedLabels } from './interned-labels.ts';
import { compile, run } from './program.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Many selectors as one integer program; made by `vocabulary.compileAll`. */
export class CompiledSelectors {
  readonly vocabulary: Vocabulary;
  readonly words: Int32Array;
  /** Where each selector's requirements begin, and where the last one's end. */
  readonly #starts: Int32Array;

  constructor(vocabulary: Vocabulary, selectors: readonly Selector[]) {
    this.vocabulary = vocabulary;
    const lengths = selectors.map((selector) => compile(vocabulary, selector, 0).code.length);
    this.#starts = new Int32Array(selectors.length + 1);
    for (const [at, length] of lengths.entries())
      this.#starts[at + 1] = (this.#starts[at] as number) + length;
    const code: number[] = [];
    const lists: number[] = [];
    const base = this.#starts[selectors.length] as number;
    for (const selector of selectors) {
      const program = compile(vocabulary, selector, base + lists.length);
      for (const word of program.code) code.push(word);
      for (const word of program.lists) lists.push(word);
    }
    this.words = Int32Array.from([...code, ...lists]);
  }

  /**
   * Writes the indexes of the selectors that match to `found`, ascending, and returns how many they are.
   * @param found as long as the list of selectors
   */
  select(labels: InternedLabels, found: Int32Array): number {
    const starts = this.#starts;
    let count = 0;
    for (let at = 0; at + 1 < starts.length; at++) {
      if (run(this, labels, starts[at] as number, starts[at + 1] as number)) found[count++] = at;
    }
    return count;
  }
}
