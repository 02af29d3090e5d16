import { parseInt64 } from '../int64.ts';
import type { Atom } from './atom.ts';
import { IntColumn } from './int-column.ts';
import { PairTable } from './pair-table.ts';

/** Everything the interests name of one key (or field, or the namespace). */
export interface Term {
  readonly name: string;
  readonly kind: 'label' | 'field' | 'namespace';
  /** That the key is there at all. */
  readonly exists: Atom;
  readonly pairs: PairTable;
  /** How many conditions compare its value as a number. */
  compared: number;
  /** How many atoms it has beyond `exists`, and references to that. */
  uses: number;
  /** The values in the event at hand, kept where `compared`. */
  before: string | undefined;
  after: string | undefined;
}

/** An atom that follows from others: evaluated when asked for, once an event. */
export interface Condition {
  readonly text: string;
  readonly term: Term;
  /** One of these pairs. */
  readonly pairs?: Int32Array;
  /** Above (1) or below (-1) the bound. */
  readonly sign?: 1 | -1;
  readonly bound?: bigint;
}

/** A list of more pairs than this is looked through at its key, not entered at every pair. */
export const MOST_HOMES = 64;
/** In `states`: a condition that was not evaluated in this event. */
export const UNKNOWN = 4;

/** The atoms that interests name, counted, so that what nobody names any more is forgotten. */
export class Atoms {
  readonly labels = new Map<string, Term>();
  readonly fields = new Map<string, Term>();
  readonly namespaces: Term;
  /** How many conditions compare numbers. */
  comparisons = 0;
  /** In the event at hand: bit 0 true before, bit 1 true after; {@link UNKNOWN}. */
  states = new Uint8Array(64);
  /** How many interests and conditions name each atom. */
  readonly named = new IntColumn();
  readonly #owners: (Term | Condition | undefined)[] = [undefined];
  /** The value of each pair. */
  readonly #values: string[] = [];
  readonly #conditions = new Map<string, Atom>();
  /** Forgotten numbers that something may still remember, and those free to be given again. */
  #limbo: Atom[] = [];
  #free: Atom[] = [];
  /** Called when a pair or a key begins (or ceases) to be named. */
  onName: (term: Term, value: string | undefined, atom: Atom) => void = () => {};
  /** Called when nobody names an atom any more, before its number is put away. */
  onRetire: (atom: Atom) => void = () => {};

  constructor() {
    this.namespaces = this.#newTerm('', 'namespace');
  }

  /** One more than the highest atom ever given. */
  get end(): number {
    return this.#owners.length;
  }

  get retired(): number {
    return this.#limbo.length;
  }

  /** Lets forgotten numbers be given again: for when nothing remembers them. */
  recycle(): void {
    this.#free = this.#free.concat(this.#limbo);
    this.#limbo = [];
  }

  condition(atom: Atom): Condition | undefined {
    const owner = this.#owners[atom];
    return owner !== undefined && 'text' in owner ? owner : undefined;
  }

  term(atom: Atom): Term {
    const owner = this.#owners[atom];
    if (owner === undefined) throw new RangeError(`nobody names atom ${atom}`);
    return 'text' in owner ? owner.term : owner;
  }

  releaseAll(program: readonly number[]): void {
    for (const word of program) this.release(word >> 2);
  }

  refer(atom: Atom): void {
    if (this.named.add(atom, 1) === 1) {
      const owner = this.#owners[atom];
      if (owner !== undefined && 'exists' in owner && owner.exists === atom) owner.uses++;
    }
  }

  /** Forgets the atom when nobody else names it. */
  release(atom: Atom): void {
    if (this.named.add(atom, -1) > 0) return;
    const condition = this.condition(atom);
    if (condition !== undefined) {
      this.#forgetCondition(atom, condition);
    } else {
      this.#forgetPair(atom, this.term(atom));
    }
  }

  /** Where an interest that needs this atom can be found by what an event shows: pairs and keys. */
  homes(atom: Atom): ArrayLike<Atom> {
    const condition = this.condition(atom);
    if (condition === undefined) return [atom];
    const { pairs, term } = condition;
    return pairs !== undefined && pairs.length <= MOST_HOMES ? pairs : [term.exists];
  }

  get bytes(): number {
    let bytes = this.states.byteLength + this.named.bytes + this.namespaces.pairs.bytes;
    for (const terms of [this.labels, this.fields]) {
      for (const { pairs } of terms.values()) bytes += pairs.bytes;
    }
    // Its owner and where its value is; the text of a value is the caller's.
    return bytes + this.end * (8 + 8);
  }

  /** What interests name of a label's key. */
  label(key: string): Term {
    return this.#termIn(this.labels, 'label', key);
  }

  field(name: string): Term {
    return this.#termIn(this.fields, 'field', name);
  }

  #termIn(terms: Map<string, Term>, kind: Term['kind'], name: string): Term {
    const known = terms.get(name);
    if (known !== undefined) return known;
    const term = this.#newTerm(name, kind);
    terms.set(name, term);
    this.onName(term, undefined, term.exists);
    return term;
  }

  #newTerm(name: string, kind: Term['kind']): Term {
    const exists = this.#newAtom();
    const blank = { compared: 0, uses: 0, before: undefined, after: undefined };
    const term: Term = { name, kind, exists, pairs: new PairTable(this.#values), ...blank };
    this.#owners[exists] = term;
    return term;
  }

  /** That the key has the value. */
  pair(term: Term, value: string): Atom {
    const known = term.pairs.find(value);
    if (known !== 0) return known;
    const atom = this.#newAtom();
    this.#owners[atom] = term;
    this.#values[atom] = value;
    term.pairs.add(atom);
    term.uses++;
    this.onName(term, value, atom);
    return atom;
  }

  /** That the key has one of these values, of which there are many. */
  oneOf(term: Term, values: readonly string[]): Atom {
    return this.#condition(term, `in ${values.join()}`, () => {
      const pairs = Int32Array.from(values, (value) => this.pair(term, value)).sort();
      for (const pair of pairs) this.refer(pair);
      return { pairs };
    });
  }

  /** That the value is a number above (1) or below (-1) the one that the text spells. */
  comparison(term: Term, sign: 1 | -1, text: string): Atom {
    const bound = parseInt64(text) ?? 0n;
    return this.#condition(term, `${sign} ${bound}`, () => {
      term.compared++;
      this.comparisons++;
      return { sign, bound };
    });
  }

  #condition(term: Term, text: string, make: () => Omit<Condition, 'text' | 'term'>): Atom {
    const name = `${term.exists} ${text}`;
    const known = this.#conditions.get(name);
    if (known !== undefined) return known;
    const parts = make();
    const atom = this.#newAtom();
    this.#owners[atom] = { text: name, term, ...parts };
    this.#conditions.set(name, atom);
    this.states[atom] = UNKNOWN;
    term.uses++;
    return atom;
  }

  #newAtom(): Atom {
    const atom = this.#free.pop() ?? this.#owners.push(undefined) - 1;
    this.named.set(atom, 0);
    if (atom >= this.states.length) {
      const states = new Uint8Array(this.states.length * 2);
      states.set(this.states);
      this.states = states;
    }
    return atom;
  }

  #forgetCondition(atom: Atom, condition: Condition): void {
    this.#conditions.delete(condition.text);
    if (condition.sign !== undefined) {
      condition.term.compared--;
      this.comparisons--;
    }
    this.#retire(atom, condition.term);
    for (const pair of condition.pairs ?? []) this.release(pair);
  }

  #forgetPair(atom: Atom, term: Term): void {
    if (term.exists === atom) {
      this.#letGo(term);
      return;
    }
    const value = this.#values[atom] ?? '';
    term.pairs.delete(atom);
    this.onName(term, value, 0);
    this.#retire(atom, term);
  }

  #retire(atom: Atom, term: Term): void {
    this.onRetire(atom);
    this.#owners[atom] = undefined;
    this.states[atom] = 0;
    this.#limbo.push(atom);
    this.#letGo(term);
  }

  #letGo(term: Term): void {
    if (--term.uses > 0 || term.kind === 'namespace') return;
    (term.kind === 'label' ? this.labels : this.fields).delete(term.name);
    this.onName(term, undefined, 0);
    this.onRetire(term.exists);
    this.#owners[term.exists] = undefined;
    this.#limbo.push(term.exists);
  }
}
