import type { LabelSet } from '../labels.ts';
import { Column } from './column.ts';
import type { InternedLabels } from './interned-labels.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A column may have seen so many pairs more than there are label sets before it is made anew. */
const SPARE_PAIRS = 1024;

/**
 * The label sets of a list that is filtered often; made by `vocabulary.labelSets`. It keeps a column for each key that
 * a selector asked it for: about 4 bytes a label set.
 */
export class LabelSets {
  readonly vocabulary: Vocabulary;
  readonly #sets: InternedLabels[] = [];
  /** By key. */
  readonly #columns = new Map<number, Column>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  get length(): number {
    return this.#sets.length;
  }

  /** @throws RangeError where there is none */
  at(index: number): InternedLabels {
    const labels = this.#sets[index];
    if (labels === undefined) throw new RangeError(`there is no label set ${index}, only ${this.length}`);
    return labels;
  }

  /** Returns its index. */
  add(labels: LabelSet): number {
    const index = this.#sets.length;
    this.#put(index, this.vocabulary.labelSet(labels));
    return index;
  }

  /** @throws RangeError where there is none */
  replace(index: number, labels: LabelSet): void {
    this.at(index);
    this.#put(index, this.vocabulary.labelSet(labels));
  }

  /**
   * Removes one, and gives its index to the last.
   * @throws RangeError where there is none
   */
  remove(index: number): void {
    this.at(index);
    const last = this.#sets.pop();
    if (last !== undefined && index < this.length) this.#put(index, last);
  }

  /** What its label sets have of a key; good until the list changes. */
  column(key: number): Column {
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const column = new Column(this.vocabulary, this.length);
    for (const [index, labels] of this.#sets.entries()) column.set(index, labels.seekPair(key));
    this.#columns.set(key, column);
    return column;
  }

  #put(index: number, labels: InternedLabels): void {
    this.#sets[index] = labels;
    for (const [key, column] of this.#columns) {
      column.set(index, labels.seekPair(key));
      if (column.seen > this.length + SPARE_PAIRS) this.#columns.delete(key);
    }
  }
}
