import type { Vocabulary } from '../compiled/index.ts';
import type { Atoms, Term } from './atoms.ts';
import { IntColumn } from './int-column.ts';

/** Maps the pairs of a vocabulary, in which objects' labels are interned, to the atoms that interests use. */
export class Bridge {
  readonly vocabulary: Vocabulary;
  /** By pair: the atom of its key's presence, and its own atom; 0 where no interest uses it. */
  readonly keys = new IntColumn();
  readonly pairs = new IntColumn();
  readonly #atoms: Atoms;
  /** The highest pair that is mapped. */
  #known = 0;

  constructor(vocabulary: Vocabulary, atoms: Atoms) {
    this.vocabulary = vocabulary;
    this.#atoms = atoms;
  }

  get bytes(): number {
    return this.keys.bytes + this.pairs.bytes;
  }

  /** Maps the pairs that the vocabulary added since the last call. */
  sync(): void {
    for (; this.#known < this.vocabulary.size; this.#known++) {
      const pair = this.#known + 1;
      const term = this.#atoms.labels.get(this.vocabulary.nameOf(pair));
      this.keys.set(pair, term?.exists ?? 0);
      this.pairs.set(pair, term?.pairs.find(this.vocabulary.valueOf(pair)) ?? 0);
    }
  }

  /** Updates the maps when an atom is first used, or no longer used (0). */
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
