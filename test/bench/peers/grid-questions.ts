import {
  type CompiledSelector,
  type CompiledSelectors,
  type InternedLabels,
  type LabelSets,
  type Labels,
  type Selector,
  Vocabulary,
} from '../../../lib/selectors/index.ts';
import type { Questions } from './evaluate.ts';

/** Each selector is asked of each label set; the question's number is `selector * sets.length + set`. */
export interface Grid {
  readonly selectors: readonly Selector[];
  readonly sets: readonly Labels[];
}

/** Compiles the selectors in a new vocabulary, and returns what interns the label sets in it. */
export type Compile = (grid: Grid) => () => Questions;

/** One selector after another filters all label sets. */
export function askList({ selectors, sets }: Grid): () => Questions {
  const vocabulary = new Vocabulary();
  const compiled = selectors.map((selector) => vocabulary.compile(selector));
  return () => new ListQuestions(compiled, vocabulary.labelSets(sets));
}

/** One label set after another finds its selectors. */
export function askDispatch({ selectors, sets }: Grid): () => Questions {
  const vocabulary = new Vocabulary();
  const compiled = vocabulary.compileAll(selectors);
  const room = new Int32Array(selectors.length);
  return () => {
    const interned = sets.map((labels) => vocabulary.labelSet(labels));
    return new DispatchQuestions(compiled, interned, room);
  };
}

/** One selector after another is matched against one label set after another. */
export function askEach({ selectors, sets }: Grid): () => Questions {
  const vocabulary = new Vocabulary();
  const compiled = selectors.map((selector) => vocabulary.compile(selector));
  return () => {
    const interned = sets.map((labels) => vocabulary.labelSet(labels));
    return new SingleQuestions(compiled, interned);
  };
}

class ListQuestions implements Questions {
  readonly #selectors: readonly CompiledSelector[];
  readonly #sets: LabelSets;
  readonly #found: Int32Array;

  constructor(selectors: readonly CompiledSelector[], sets: LabelSets) {
    this.#selectors = selectors;
    this.#sets = sets;
    this.#found = new Int32Array(sets.length);
  }

  get count(): number {
    return this.#selectors.length * this.#sets.length;
  }

  ask(): number {
    let hits = 0;
    for (const selector of this.#selectors) hits += selector.select(this.#sets, this.#found);
    return hits;
  }

  visit(match: (question: number) => void): void {
    for (const [at, selector] of this.#selectors.entries()) {
      const count = selector.select(this.#sets, this.#found);
      for (const set of this.#found.subarray(0, count)) match(at * this.#sets.length + set);
    }
  }
}

class DispatchQuestions implements Questions {
  readonly #selectors: CompiledSelectors;
  readonly #sets: readonly InternedLabels[];
  readonly #found: Int32Array;

  constructor(selectors: CompiledSelectors, sets: readonly InternedLabels[], found: Int32Array) {
    this.#selectors = selectors;
    this.#sets = sets;
    this.#found = found;
  }

  get count(): number {
    return this.#found.length * this.#sets.length;
  }

  ask(): number {
    let hits = 0;
    for (const labels of this.#sets) hits += this.#selectors.select(labels, this.#found);
    return hits;
  }

  visit(match: (question: number) => void): void {
    for (const [at, labels] of this.#sets.entries()) {
      const count = this.#selectors.select(labels, this.#found);
      for (const selector of this.#found.subarray(0, count)) match(selector * this.#sets.length + at);
    }
  }
}

class SingleQuestions implements Questions {
  readonly #selectors: readonly CompiledSelector[];
  readonly #sets: readonly InternedLabels[];

  constructor(selectors: readonly CompiledSelector[], sets: readonly InternedLabels[]) {
    this.#selectors = selectors;
    this.#sets = sets;
  }

  get count(): number {
    return this.#selectors.length * this.#sets.length;
  }

  ask(): number {
    let hits = 0;
    for (const selector of this.#selectors) {
      for (const labels of this.#sets) if (selector.matches(labels)) hits++;
    }
    return hits;
  }

  visit(match: (question: number) => void): void {
    for (const [at, selector] of this.#selectors.entries()) {
      for (const [set, labels] of this.#sets.entries()) {
        if (selector.matches(labels)) match(at * this.#sets.length + set);
      }
    }
  }
}
