import type { Atom } from './atom.ts';
import type { Atoms } from './atoms.ts';
import { clauseAt, NEGATED } from './program.ts';

/**
 * Chooses the clause under which an entry is filed: the one that the fewest events are expected to meet, according to
 * how often its atoms were seen. A home is the position of that clause in the program.
 */
export class Homes {
  readonly #atoms: Atoms;
  readonly #seen: (atom: Atom) => number;

  /** @param seen returns in how many events an atom was seen */
  constructor(atoms: Atoms, seen: (atom: Atom) => number) {
    this.#atoms = atoms;
    this.#seen = seen;
  }

  /** The atoms under which an entry of this home is filed: pairs and keys. */
  atomsOf(program: readonly number[], home: number): ArrayLike<Atom> {
    const clause = clauseAt(program, home);
    return clause.length > 1
      ? clause.map((word) => word >> 2)
      : this.#atoms.homes((clause[0] as number) >> 2);
  }

  rarest(program: readonly number[]): number {
    let rarest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < program.length; ) {
      const clause = clauseAt(program, at);
      const weight = this.weightOf(clause);
      if (weight < least) {
        rarest = at;
        least = weight;
      }
      at += clause.length;
    }
    return rarest;
  }

  /** The expected frequency of events that meet the clause; infinite where it requires absence. */
  weightOf(clause: readonly number[]): number {
    let weight = 0;
    for (const word of clause) {
      if (word & NEGATED) return Number.POSITIVE_INFINITY;
      weight += this.weight(word >> 2);
    }
    return weight;
  }

  weight(atom: Atom): number {
    const homes = this.#atoms.homes(atom);
    let weight = this.#atoms.named.get(atom);
    for (let at = 0; at < homes.length; at++) {
      const home = homes[at] as Atom;
      const term = this.#atoms.term(home);
      weight += this.#seen(home) * 16;
      if (term.exists === home) weight += term.uses * 1000;
    }
    return weight;
  }
}
