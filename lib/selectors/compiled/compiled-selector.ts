import type { Selector } from '../selector.ts';
import type { InternedLabels } from './interned-labels.ts';
import { compile, IS, run, WIDTH } from './program.ts';
import { VerdictTable } from './verdict-table.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One selector as integers of a {@link Vocabulary}; made by `vocabulary.compile`. */
export class CompiledSelector {
  readonly vocabulary: Vocabulary;
  readonly words: Int32Array;
  readonly #selector: Selector;
  readonly #end: number;
  readonly #mayTabulate: boolean;
  /** Of a selector that asks for one value of one key, which most do; 0 of others. */
  readonly #key: number;
  readonly #pair: number;
  #table: VerdictTable | undefined;
  /** How many pairs the table knows; of labels with a later one it knows too little. */
  #known = 0;
  /** Label sets met without a table's help since the last one was made. */
  #met = 0;

  constructor(vocabulary: Vocabulary, selector: Selector) {
    this.vocabulary = vocabulary;
    const { code, lists } = compile(vocabulary, selector);
    this.words = Int32Array.of(...code, ...lists);
    this.#selector = selector;
    this.#end = code.length;
    const isOne = code.length === WIDTH && code[0] === IS;
    this.#key = isOne ? (code[1] ?? 0) : 0;
    this.#pair = isOne ? (code[2] ?? 0) : 0;
    this.#mayTabulate = VerdictTable.serves(selector);
  }

  /** As `selector.matches`, without touching a string. The labels are of the same vocabulary. */
  matches(labels: InternedLabels): boolean {
    if (this.#pair !== 0 && labels.crowd === undefined) {
      return labels.slots[Math.imul(this.#key, labels.multiplier) >>> labels.shift] === this.#pair;
    }
    if (this.#mayTabulate) {
      if (labels.newest < this.#known && this.#table !== undefined) return this.#table.matches(labels);
      this.#considerTable();
    }
    return run(this, labels, 0, this.#end);
  }

  /**
   * Writes the indexes of the label sets that match to `found`, ascending, and returns how many they are.
   * @param found as long as `sets`
   */
  select(sets: readonly InternedLabels[], found: Int32Array): number {
    let count = 0;
    for (let at = 0; at < sets.length; at++)
      if (this.matches(sets[at] as InternedLabels)) found[count++] = at;
    return count;
  }

  /** A table is made once as many label sets came as it has pairs, so that it never costs more than it may save. */
  #considerTable(): void {
    if (++this.#met <= this.vocabulary.size) return;
    this.#met = 0;
    this.#table = new VerdictTable(this.vocabulary, this.#selector);
    this.#known = this.#table.bits.length;
  }
}
