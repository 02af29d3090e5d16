import type { Vocabulary } from '../compiled/index.ts';
import type { Atoms, Term } from './atoms.ts';
import { IntColumn } from './int-column.ts';

/** From the pairs of a vocabulary, which objects' labels are interned in, to the atoms that interests name. */
export class Bridge {
  readonly vocabulary: Vocabulary;
  /** By pair: the atom of its key's presence, and its own; 0 where nobody names it. */
  readonly keys = new IntColumn();
  readonly pairs = new IntColumn();
  readonly #atoms: Atoms;
  /** Pairs up to here are told apart. */
  #known = 0;

  constructor(vocabulary: Vocabulary, atoms: Atoms) {
    this.vocabulary = vocabulary;
    this.#atoms = atoms;
  }

  get bytes(): number {
    return this.keys.bytes + this.pairs.bytes;
  }

  /** Takes in what the vocabulary learned. */
  sync(): void {
    for (; this.#known < this.vocabulary.size; this.#known++) {
      const pair = this.#known + 1;
      const term = this.#atoms.labels.get(this.vocabulary.nameOf(pair));
      this.keys.set(pair, term?.exists ?? 0);
      this.pairs.set(pair, term?.pairs.find(this.vocabulary.valueOf(pair)) ?? 0);
    }
  }

  /** An atom began to be named, or ceased to (0). */
  name(term: Term, value: string | undefined, atom: number): void {
    if (term.kind !== 'label') return;
    if (value !== undefined) {
      const pair = this.vocabulary.find(term.name, value);
      if (pair !== 0) this.pairs.set(pair, atom);
      return;
    }
    for (const pair of this.vocabulary.pairsOf(term.name).values()) this.keys.set(pair, atom);
  }
}
