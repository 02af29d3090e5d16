import type { LabelSet } from '../labels.ts';
import { Column } from './column.ts';
import { InternedLabels } from './interned-labels.ts';
import type { Numbers } from './numbers.ts';

/** A column is rebuilt once it has seen this many more pairs than there are label sets. */
const SPARE_PAIRS = 1024;

/**
 * The label sets of a list that is filtered often; created by `vocabulary.labelSets`. It stores a column for each key
 * that a selector has used: about 4 bytes a label set.
 */
export class LabelSets {
  readonly vocabulary: Numbers;
  readonly #sets: InternedLabels[] = [];
  /** By key. */
  readonly #columns = new Map<number, Column>();

  constructor(vocabulary: Numbers) {
    this.vocabulary = vocabulary;
  }

  get length(): number {
    return this.#sets.length;
  }

  /** @throws RangeError if there is no such index */
  at(index: number): InternedLabels {
    const labels = this.#sets[index];
    if (labels === undefined) throw new RangeError(`there is no label set ${index}, only ${this.length}`);
    return labels;
  }

  /** Adds a label set and returns its index. */
  add(labels: LabelSet): number {
    const index = this.#sets.length;
    this.#put(index, this.#interned(labels));
    return index;
  }

  /** @throws RangeError if there is no such index */
  replace(index: number, labels: LabelSet): void {
    this.at(index);
    this.#put(index, this.#interned(labels));
  }

  /**
   * Removes a label set, and gives its index to the last label set.
   * @throws RangeError if there is no such index
   */
  remove(index: number): void {
    this.at(index);
    const last = this.#sets.pop();
    if (last !== undefined && index < this.length) this.#put(index, last);
  }

  /** The column of a key; valid until the list changes. */
  column(key: number): Column {
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const column = new Column(this.vocabulary, this.length);
    for (const [index, labels] of this.#sets.entries()) column.set(index, labels.seekPair(key));
    this.#columns.set(key, column);
    return column;
  }

  #interned(labels: LabelSet): InternedLabels {
    return new InternedLabels(this.vocabulary, this.vocabulary.pairsIn(labels));
  }

  #put(index: number, labels: InternedLabels): void {
    this.#sets[index] = labels;
    for (const [key, column] of this.#columns) {
      column.set(index, labels.seekPair(key));
      if (column.seen > this.length + SPARE_PAIRS) this.#columns.delete(key);
    }
  }
}
