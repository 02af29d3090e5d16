import type { Atom } from './atom.ts';
import { type Atoms, UNKNOWN } from './atoms.ts';
import type { Bag, Handle } from './bag.ts';
import type { Entries, Entry } from './entries.ts';
import { AFTER, BEFORE, BOTH, type EventStates } from './event-states.ts';
import { Homes } from './homes.ts';
import { COLUMNS, IntLists, LENGTH } from './int-lists.ts';
import { byWeight, clauseAt, MORE, NEGATED, type Weighed } from './program.ts';
import { MOST_COPIED, type Subscribers } from './subscribers.ts';

/**
 * The layout of a record: the entry; the number of words of its clauses (doubled, plus {@link SEVERAL}); the number
 * of handles, or the negative {@link Subscribers.form} of many; the clauses; the handles. The clauses are the entry's
 * other clauses. The home's own clause comes first where the entry is filed under several atoms, or under a key for
 * its value.
 */
const CLAUSES = 1;
const HANDLES = 2;
const HEADER = 3;
/** The flag of a record that is in the list of each alternative of its home. The home is then its first clause. */
const SEVERAL = 1;
/** The column that is 1 where the list's records are out of date. */
const STALE = COLUMNS;
/** The column that counts words of removed entries. */
const DEAD = STALE + 1;
/** The column that counts records that were scanned and did not match, since the list was last reviewed. */
const VAIN = STALE + 2;
/** The column that counts the events in which the atom was seen. All counts are halved when one grows too large. */
const SEEN = STALE + 3;
const MOST_SEEN = 1 << 26;
/** A list is reviewed once its scans without a match exceed this multiple of its words. */
const PATIENCE = 16;
/** An entry is moved to another clause if events probably meet that clause this many times less often. */
const GAIN = 2;

/**
 * The entries with a positive clause. Each is filed under the atom (or the atoms) of the clause that events meet
 * least often. Its record also holds its other clauses and its subscribers, so that a scan reads memory sequentially:
 *
 *     app=web        [entry 7: env=prod or env=qa; not canary; handles 4, 9] [entry 8: tier=db; handle 2] …
 *     env in (a,b)   is found at both pairs
 *
 * A change of subscribers only marks the lists as out of date. A list is rewritten before its next scan.
 */
export class Postings {
  readonly #atoms: Atoms;
  readonly #entries: Entries;
  readonly #subscribers: Subscribers;
  readonly #homes: Homes;
  /** The list by atom. */
  readonly #lists = new IntLists(SEEN + 1 - COLUMNS);
  #scratch = new Int32Array(256);
  #due: Atom[] = [];

  constructor(atoms: Atoms, entries: Entries, subscribers: Subscribers) {
    this.#atoms = atoms;
    this.#entries = entries;
    this.#subscribers = subscribers;
    const { stride } = this.#lists;
    this.#homes = new Homes(atoms, (atom) => this.#lists.table[atom * stride + SEEN] ?? 0);
  }

  get bytes(): number {
    return this.#lists.bytes + this.#scratch.byteLength;
  }

  /**
   * Files an entry with subscribers under the positive clause that the fewest events meet. The program must have a
   * positive clause.
   */
  file(entry: Entry, program: readonly number[]): void {
    this.#fileAt(entry, program, this.#homes.rarest(program));
  }

  /** Marks the records of a removed entry, which had this home, as dead. */
  withdraw(program: readonly number[], home: number): void {
    const atoms = this.#homes.atomsOf(program, home);
    for (let at = 0; at < atoms.length; at++) this.#bury(atoms[at] as Atom, HEADER + program.length);
  }

  /** Marks the lists of an entry whose subscribers changed. */
  touch(entry: Entry, program: readonly number[]): void {
    // If there are too many to copy, the records only refer to the list of subscribers.
    if (this.#subscribers.count(entry) > MOST_COPIED + 1) return;
    const atoms = this.#homes.atomsOf(program, this.#entries.homes.get(entry));
    const { table, stride } = this.#lists;
    for (let at = 0; at < atoms.length; at++) table[(atoms[at] as Atom) * stride + STALE] = 1;
  }

  /** Empties the list of an atom that is about to be removed: all its records are dead. */
  clear(atom: Atom): void {
    if (!this.#lists.has(atom)) return;
    this.#rewrite(atom);
    this.#lists.table[atom * this.#lists.stride + SEEN] = 0;
  }

  /** Collects the subscribers that the current event matches: `bags[1]` left, `bags[2]` entered, `bags[3]` changed. */
  scan(event: EventStates, bags: readonly Bag[]): void {
    const { touched, touchedCount } = event;
    const lists = this.#lists;
    lists.reserve(this.#atoms.end);
    for (let at = 0; at < touchedCount; at++) {
      const atom = touched[at] as Atom;
      const row = atom * lists.stride;
      const { table } = lists;
      const seen = (table[row + SEEN] as number) + 1;
      table[row + SEEN] = seen;
      if (seen > MOST_SEEN) this.#forgetHalf();
      if (table[row + LENGTH] === 0) continue;
      if (table[row + STALE] !== 0) this.#rewrite(atom);
      this.#scanList(atom, event, bags);
    }
  }

  /** Moves entries from lists whose scans rarely match to rarer atoms. Call it between events. */
  settle(): void {
    if (this.#due.length === 0) return;
    const due = this.#due;
    this.#due = [];
    for (const atom of due) this.#lookOver(atom);
  }

  #scanList(atom: Atom, event: EventStates, bags: readonly Bag[]): void {
    const lists = this.#lists;
    const { words } = lists;
    const { states } = event;
    const home = states[atom] as number;
    let at = lists.start(atom);
    const end = at + lists.length(atom);
    let vain = 0;
    while (at < end) {
      const head = words[at + CLAUSES] as number;
      const handles = words[at + HANDLES] as number;
      let next = at + HEADER;
      const first = next + (head >> 1);
      let bits = home;
      let any = 0;
      if (head & SEVERAL && home !== BOTH) {
        // The entry was found by a changed label. If the new value is also one of the home's, the new value's list
        // answers for both states, and the old value's list for none.
        for (let word = MORE; word & MORE; ) {
          word = words[next++] as number;
          const state = states[word >> 2] as number;
          any |= state === UNKNOWN ? event.evaluate(word >> 2) : state;
        }
        bits = home === BEFORE && any & AFTER ? 0 : any;
        any = 0;
      }
      while (next < first && bits !== 0) {
        const word = words[next++] as number;
        let state = states[word >> 2] as number;
        if (state === UNKNOWN) state = event.evaluate(word >> 2);
        any |= state ^ -(word & NEGATED);
        if (word & MORE) continue;
        bits &= any;
        any = 0;
      }
      at = handles > 0 ? first + handles : first;
      if (bits === 0) {
        vain++;
      } else if (handles === 1) {
        (bags[bits] as Bag).push(words[first] as Handle);
      } else if (handles > 0) {
        (bags[bits] as Bag).append(words, handles, first);
      } else {
        this.#subscribers.collectMany(handles, bags[bits] as Bag);
      }
    }
    if (vain > 0) this.#countVain(atom, vain);
  }

  #countVain(atom: Atom, vain: number): void {
    const { table, stride } = this.#lists;
    const row = atom * stride;
    const sum = (table[row + VAIN] as number) + vain;
    table[row + VAIN] = sum;
    if (sum <= PATIENCE * (table[row + LENGTH] as number)) return;
    table[row + VAIN] = 0;
    this.#due.push(atom);
  }

  #fileAt(entry: Entry, program: readonly number[], home: number): void {
    const atoms = this.#homes.atomsOf(program, home);
    this.#entries.homes.set(entry, home);
    const several = atoms.length > 1 ? SEVERAL : 0;
    const clauses = this.#clausesOf(program, home, atoms);
    const form = this.#subscribers.form(entry);
    const length = HEADER + clauses.length + Math.max(form, 0);
    for (let at = 0; at < atoms.length; at++) {
      const atom = atoms[at] as Atom;
      this.#lists.reserve(atom + 1);
      const start = this.#lists.extend(atom, length);
      const { words } = this.#lists;
      words[start] = entry;
      words[start + CLAUSES] = (clauses.length << 1) | several;
      words[start + HANDLES] = form;
      words.set(clauses, start + HEADER);
      if (form > 0) this.#subscribers.copy(entry, words, start + HEADER + clauses.length);
    }
    this.#entries.records.add(entry, atoms.length);
  }

  /**
   * The clauses of a record: the home's own clause where the list does not imply it, then the other clauses. They are
   * in the order in which a scan ends soonest: rare ones first, absence last.
   */
  #clausesOf(program: readonly number[], home: number, atoms: ArrayLike<Atom>): number[] {
    const own = clauseAt(program, home);
    const beside: Weighed[] = [];
    for (let at = 0; at < program.length; ) {
      const words = clauseAt(program, at);
      if (at !== home) beside.push({ words, weight: this.#homes.weightOf(words) });
      at += words.length;
    }
    const rest = beside.sort(byWeight).flatMap(({ words }) => words);
    return atoms.length === 1 && atoms[0] === (own[0] as number) >> 2 ? rest : [...own, ...rest];
  }

  #bury(atom: Atom, words: number): void {
    const lists = this.#lists;
    const row = atom * lists.stride;
    lists.table[row + STALE] = 1;
    lists.table[row + DEAD] = (lists.table[row + DEAD] as number) + words;
    if ((lists.table[row + DEAD] as number) * 2 >= lists.length(atom)) this.#rewrite(atom);
  }

  /** Rewrites the records of a list, without dead ones and without those that `keeps` rejects. */
  #rewrite(atom: Atom, keeps: (entry: Entry, head: number) => boolean = () => true): void {
    const lists = this.#lists;
    const { words } = lists;
    const end = lists.start(atom) + lists.length(atom);
    let length = 0;
    let next: number;
    for (let at = lists.start(atom); at < end; at = next) {
      const entry = words[at] as Entry;
      const head = words[at + CLAUSES] as number;
      const handles = at + HEADER + (head >> 1);
      next = handles + Math.max(words[at + HANDLES] as number, 0);
      if (this.#entries.isForgotten(entry) || !keeps(entry, head)) {
        this.#entries.dropRecord(entry);
      } else {
        length = this.#toScratch(words, { from: at, to: handles, length });
      }
    }
    lists.replace(atom, this.#scratch, length);
    const row = atom * lists.stride;
    lists.table[row + STALE] = 0;
    lists.table[row + DEAD] = 0;
  }

  /** Appends a record to the scratch space, with its current handles instead of the old ones. */
  #toScratch(words: Int32Array, record: { from: number; to: number; length: number }): number {
    const { from, to, length } = record;
    const entry = words[from] as Entry;
    const form = this.#subscribers.form(entry);
    const first = length + to - from;
    const end = first + Math.max(form, 0);
    if (end > this.#scratch.length) {
      const old = this.#scratch;
      this.#scratch = new Int32Array(end * 2);
      this.#scratch.set(old);
    }
    const scratch = this.#scratch;
    for (let at = from; at < to; at++) scratch[length + at - from] = words[at] as number;
    scratch[length + HANDLES] = form;
    if (form > 0) this.#subscribers.copy(entry, scratch, first);
    return end;
  }

  #lookOver(atom: Atom): void {
    const moves: { readonly entry: Entry; readonly program: readonly number[]; readonly home: number }[] = [];
    const weight = this.#homes.weight(atom);
    this.#rewrite(atom, (entry, head) => {
      // An entry that is filed under several pairs has records elsewhere too, so it stays.
      if (head & SEVERAL) return true;
      const program = this.#entries.program(entry);
      const home = this.#homes.rarest(program);
      if (home === this.#entries.homes.get(entry)) return true;
      if (this.#homes.weightOf(clauseAt(program, home)) * GAIN > weight) return true;
      moves.push({ entry, program, home });
      return false;
    });
    for (const { entry, program, home } of moves) this.#fileAt(entry, program, home);
    if (moves.length === 0) {
      const row = atom * this.#lists.stride;
      this.#lists.table[row + VAIN] = -PATIENCE * PATIENCE * this.#lists.length(atom);
    }
  }

  #forgetHalf(): void {
    const { table, stride } = this.#lists;
    for (let row = 0; row < table.length; row += stride) {
      table[row + SEEN] = (table[row + SEEN] as number) >> 1;
    }
  }
}
