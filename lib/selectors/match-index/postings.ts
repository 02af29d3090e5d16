import { type Atom, type Atoms, MORE, NEGATED, UNKNOWN } from './atoms.ts';
import type { Bag } from './bag.ts';
import type { Entries, Entry } from './entries.ts';
import { AFTER, BEFORE, BOTH, type EventStates } from './event-states.ts';
import { IntColumn } from './int-column.ts';
import { IntLists } from './int-lists.ts';
import { byWeight, clauseAt, type Weighed } from './program.ts';
import type { Subscribers } from './subscribers.ts';

/** A record is the entry, how many words follow (doubled, plus {@link SEVERAL}), and they: the other clauses. */
const HEADER = 2;
/** The record stands in the list of each alternative of its home. */
const SEVERAL = 1;
/** A list is looked over once the records scanned in vain are this many times its words. */
const PATIENCE = 16;
/** Moving pays where the other clause is expected to be met this many times less often. */
const GAIN = 2;

/**
 * The entries with a positive clause, each in the list of the atom (or the atoms) by which the clause that is met
 * least often is seen, with its other clauses beside it:
 *
 *     app=web        [entry 7: env=prod or env=qa; not canary] [entry 8: tier=db] …
 *     env in (a,b)   is found at both pairs
 *
 * Entries of one clause stand in a list of their own, bare.
 */
export class Postings {
  readonly #atoms: Atoms;
  readonly #entries: Entries;
  /** Two for each atom: records, and bare entries (doubled, plus {@link SEVERAL}). */
  readonly #lists = new IntLists();
  /** By list: words whose entry was forgotten. */
  readonly #dead = new IntColumn();
  /** By list: records that were scanned and did not match, since the list was last looked over. */
  readonly #vain = new IntColumn();
  #due: Atom[] = [];

  constructor(atoms: Atoms, entries: Entries) {
    this.#atoms = atoms;
    this.#entries = entries;
  }

  get bytes(): number {
    return this.#lists.bytes + this.#dead.bytes + this.#vain.bytes;
  }

  /** Files an entry under the positive clause that the fewest events meet; there must be one. */
  file(entry: Entry, program: readonly number[]): void {
    this.#fileAt(entry, program, this.#rarest(program));
  }

  /** The entry was forgotten, which had its home at this place of its program: its records are dead. */
  withdraw(program: readonly number[], home: number): void {
    const { lists, others } = this.#placesOf(program, home);
    for (const list of lists) this.#bury(list, isBare(list) ? 1 : HEADER + others.length);
  }

  /** Sweeps the lists of an atom that is about to go: all that is left in them is dead. */
  clear(atom: Atom): void {
    for (const list of [recordsOf(atom), bareOf(atom)]) if (this.#lists.has(list)) this.#sweep(list);
  }

  /** Collects the subscribers that the event at hand finds: `bags[1]` left, `bags[2]` entered, `bags[3]` changed. */
  scan(event: EventStates, subscribers: Subscribers, bags: readonly Bag[]): void {
    const { touched, touchedCount } = event;
    const { lengths } = this.#lists;
    for (let at = 0; at < touchedCount; at++) {
      const atom = touched[at] as Atom;
      if ((lengths.values[bareOf(atom)] as number) > 0) this.#scanBare(atom, event, subscribers, bags);
      if ((lengths.values[recordsOf(atom)] as number) > 0) this.#scanRecords(atom, event, subscribers, bags);
    }
  }

  /** Moves entries from lists that are scanned in vain to rarer atoms. Between events. */
  settle(): void {
    if (this.#due.length === 0) return;
    const due = this.#due;
    this.#due = [];
    for (const atom of due) this.#lookOver(atom);
  }

  #scanBare(atom: Atom, event: EventStates, subscribers: Subscribers, bags: readonly Bag[]): void {
    const { words } = this.#lists;
    const list = bareOf(atom);
    const start = this.#lists.starts.get(list);
    const end = start + this.#lists.length(list);
    const home = event.states[atom] as number;
    const bag = bags[home] as Bag;
    for (let at = start; at < end; at++) {
      const word = words[at] as number;
      if (home === BOTH || (word & SEVERAL) === 0) subscribers.collect(word >> 1, bag);
      else subscribers.collect(word >> 1, bags[this.#changedHome(word >> 1, event, home)] as Bag);
    }
  }

  #scanRecords(atom: Atom, event: EventStates, subscribers: Subscribers, bags: readonly Bag[]): void {
    const { words } = this.#lists;
    const { states } = event;
    const list = recordsOf(atom);
    const home = states[atom] as number;
    let at = this.#lists.starts.get(list);
    const end = at + this.#lists.length(list);
    let vain = 0;
    while (at < end) {
      const entry = words[at] as number;
      const head = words[at + 1] as number;
      let next = at + HEADER;
      at = next + (head >> 1);
      let bits = home === BOTH || (head & SEVERAL) === 0 ? home : this.#changedHome(entry, event, home);
      let any = 0;
      while (next < at && bits !== 0) {
        const word = words[next++] as number;
        let state = states[word >> 2] as number;
        if (state === UNKNOWN) state = event.evaluate(word >> 2);
        any |= state ^ -(word & NEGATED);
        if (word & MORE) continue;
        bits &= any;
        any = 0;
      }
      if (bits === 0) vain++;
      else subscribers.collect(entry, bags[bits] as Bag);
    }
    if (vain > 0 && this.#vain.add(list, vain) > PATIENCE * this.#lists.length(list)) {
      this.#vain.set(list, 0);
      this.#due.push(atom);
    }
  }

  /**
   * In which states the home of an entry holds that is found by a label that was changed. Where the new value is one
   * of the home's too, its list answers for both states, and the old value's for none. A forgotten entry has no home.
   */
  #changedHome(entry: Entry, event: EventStates, home: number): number {
    if (this.#entries.isForgotten(entry)) return 0;
    const { words, starts } = this.#entries.programs;
    let any = 0;
    let word = MORE;
    for (let at = starts.get(entry) + this.#entries.homes.get(entry); word & MORE; at++) {
      word = words[at] as number;
      const state = event.states[word >> 2] as number;
      any |= state === UNKNOWN ? event.evaluate(word >> 2) : state;
    }
    return home === BEFORE && any & AFTER ? 0 : any;
  }

  #rarest(program: readonly number[]): number {
    let rarest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < program.length; ) {
      const clause = clauseAt(program, at);
      const weight = this.#weightOf(clause);
      if (weight < least) {
        rarest = at;
        least = weight;
      }
      at += clause.length;
    }
    return rarest;
  }

  #weightOf(clause: readonly number[]): number {
    let weight = 0;
    for (const word of clause) {
      if (word & NEGATED) return Number.POSITIVE_INFINITY;
      weight += this.#atoms.weight(word >> 2);
    }
    return weight;
  }

  #fileAt(entry: Entry, program: readonly number[], home: number): void {
    const { lists, several, others } = this.#placesOf(program, home);
    this.#entries.homes.set(entry, home);
    const record = [entry, (others.length << 1) | several, ...this.#likeliestToFail(others)];
    for (const list of lists) this.#append(list, isBare(list) ? [(entry << 1) | several] : record);
    this.#entries.records.add(entry, lists.length);
  }

  /** In which lists an entry of this home belongs, and what beside it. */
  #placesOf(program: readonly number[], home: number) {
    const clause = clauseAt(program, home);
    const first = (clause[0] as number) >> 2;
    const atoms = clause.length > 1 ? clause.map((word) => word >> 2) : Array.from(this.#atoms.homes(first));
    const several = atoms.length > 1 ? SEVERAL : 0;
    // A condition that is found by its key alone has to be tested there.
    const isProven = several === SEVERAL || atoms[0] === first;
    const others = isProven ? program.toSpliced(home, clause.length) : program;
    return { lists: atoms.map(others.length === 0 ? bareOf : recordsOf), several, others };
  }

  /** The clauses in the order in which a scan ends soonest: rare ones, common ones, those that ask for absence. */
  #likeliestToFail(program: readonly number[]): number[] {
    const clauses: Weighed[] = [];
    for (let at = 0; at < program.length; ) {
      const words = clauseAt(program, at);
      clauses.push({ words, weight: this.#weightOf(words) });
      at += words.length;
    }
    return clauses.sort(byWeight).flatMap(({ words }) => words);
  }

  #append(list: number, words: readonly number[]): void {
    this.#lists.reserve(list + 1);
    this.#dead.reserve(list + 1);
    this.#vain.reserve(list + 1);
    const start = this.#lists.extend(list, words.length);
    for (let at = 0; at < words.length; at++) this.#lists.words[start + at] = words[at] as number;
  }

  #bury(list: number, words: number): void {
    if (this.#dead.add(list, words) * 2 >= this.#lists.length(list)) this.#sweep(list);
  }

  /** Drops the dead of a list, and what `keeps` refuses. */
  #sweep(list: number, keeps: (entry: Entry, head: number) => boolean = () => true): void {
    const { words } = this.#lists;
    const start = this.#lists.starts.get(list);
    const end = start + this.#lists.length(list);
    let to = start;
    for (let at = start; at < end; ) {
      const entry = isBare(list) ? (words[at] as number) >> 1 : (words[at] as number);
      const head = words[at + 1] as number;
      const length = isBare(list) ? 1 : HEADER + (head >> 1);
      if (!this.#entries.isForgotten(entry) && keeps(entry, head)) {
        words.copyWithin(to, at, at + length);
        to += length;
      } else this.#entries.dropRecord(entry);
      at += length;
    }
    this.#dead.set(list, 0);
    this.#lists.truncate(list, to - start);
  }

  #lookOver(atom: Atom): void {
    const list = recordsOf(atom);
    const moves: { readonly entry: Entry; readonly program: readonly number[]; readonly home: number }[] = [];
    const weight = this.#atoms.weight(atom);
    this.#sweep(list, (entry, head) => {
      // An entry found at several pairs has records elsewhere too: it stays.
      if (head & SEVERAL) return true;
      const program = this.#entries.program(entry);
      const home = this.#rarest(program);
      if (home === this.#entries.homes.get(entry)) return true;
      if (this.#weightOf(clauseAt(program, home)) * GAIN > weight) return true;
      moves.push({ entry, program, home });
      return false;
    });
    for (const { entry, program, home } of moves) this.#fileAt(entry, program, home);
    if (moves.length === 0) this.#vain.set(list, -PATIENCE * PATIENCE * this.#lists.length(list));
  }
}

function recordsOf(atom: Atom): number {
  return atom * 2;
}

function bareOf(atom: Atom): number {
  return atom * 2 + 1;
}

function isBare(list: number): boolean {
  return (list & 1) === 1;
}
