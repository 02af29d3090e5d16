import { parseInt64 } from '../int64.ts';
import type { Atom } from './atom.ts';
import { IntColumn } from './int-column.ts';
import { PairTable } from './pair-table.ts';

/** All atoms that interests use for one key (or field, or the namespace). */
export interface Term {
  readonly name: string;
  readonly kind: 'label' | 'field' | 'namespace';
  /** The atom that the key is present. */
  readonly exists: Atom;
  readonly pairs: PairTable;
  /** The number of conditions that compare its value as a number. */
  compared: number;
  /** The number of its atoms besides `exists`, plus 1 while `exists` itself is used. */
  uses: number;
  /** The values in the current event, stored where `compared` is above 0. */
  before: string | undefined;
  after: string | undefined;
}

/** An atom that is derived from others. It is evaluated when needed, at most once per event. */
export interface Condition {
  readonly text: string;
  readonly term: Term;
  /** The condition holds for any of these pairs. */
  readonly pairs?: Int32Array;
  /** Whether the value must be above (1) or below (-1) the bound. */
  readonly sign?: 1 | -1;
  readonly bound?: bigint;
}

/** The most pairs of a list that is filed under each pair. A longer list is filed under its key. */
export const MOST_HOMES = 64;
/** In `states`: a condition that is not evaluated yet in this event. */
export const UNKNOWN = 4;

/** The atoms that interests use, with reference counts, so that unused atoms are removed. */
export class Atoms {
  readonly labels = new Map<string, Term>();
  readonly fields = new Map<string, Term>();
  readonly namespaces: Term;
  /** The number of conditions that compare numbers. */
  comparisons = 0;
  /** The state of each atom in the current event: bit 0 true before, bit 1 true after; or {@link UNKNOWN}. */
  states = new Uint8Array(64);
  /** The number of interests and conditions that use each atom. */
  readonly named = new IntColumn();
  readonly #owners: (Term | Condition | undefined)[] = [undefined];
  /** The value of each pair. */
  readonly #values: string[] = [];
  readonly #conditions = new Map<string, Atom>();
  /** Removed numbers that cached events may still contain, and numbers that are free for reuse. */
  #limbo: Atom[] = [];
  #free: Atom[] = [];
  /** Called when a pair or a key is first used, or no longer used. */
  onName: (term: Term, value: string | undefined, atom: Atom) => void = () => {};
  /** Called when an atom is no longer used, before its number is retired. */
  onRetire: (atom: Atom) => void = () => {};

  constructor() {
    this.namespaces = this.#newTerm('', 'namespace');
  }

  /** One more than the highest atom ever assigned. */
  get end(): number {
    return this.#owners.length;
  }

  get retired(): number {
    return this.#limbo.length;
  }

  /** Makes retired numbers free for reuse. Call it only when nothing refers to them any more. */
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
    if (owner === undefined) throw new RangeError(`no term has the atom ${atom}`);
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

  /** Drops one reference to the atom, and removes it with the last. */
  release(atom: Atom): void {
    if (this.named.add(atom, -1) > 0) return;
    const condition = this.condition(atom);
    if (condition !== undefined) {
      this.#forgetCondition(atom, condition);
    } else {
      this.#forgetPair(atom, this.term(atom));
    }
  }

  /** The pairs and keys under which an interest that needs this atom is filed. */
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
    // Each atom takes a reference to its owner and one to its value. The text of a value belongs to the caller.
    return bytes + this.end * (8 + 8);
  }

  /** The term of a label key. */
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

  /** The atom that the key has the value. */
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

  /** The atom that the key has one of these many values. */
  oneOf(term: Term, values: readonly string[]): Atom {
    return this.#condition(term, `in ${values.join()}`, () => {
      const pairs = Int32Array.from(values, (value) => this.pair(term, value)).sort();
      for (const pair of pairs) this.refer(pair);
      return { pairs };
    });
  }

  /** The atom that the value is a number above (1) or below (-1) the one that the text spells. */
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
