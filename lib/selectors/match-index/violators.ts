import type { Atom } from './atom.ts';
import type { Bag } from './bag.ts';
import type { Complement } from './complement.ts';
import type { Entries, Entry } from './entries.ts';
import type { EventStates } from './event-states.ts';
import { IntColumn } from './int-column.ts';
import { IntLists } from './int-lists.ts';
import type { Subscribers } from './subscribers.ts';

/** For each atom, the entries without a positive clause that it excludes when true. */
export class Violators {
  readonly #entries: Entries;
  readonly #lists = new IntLists();
  /** The number of removed entries in each list. */
  readonly #dead = new IntColumn();
  /** The excluded states in the current event, by entry. */
  #violated = new Uint8Array(64);
  readonly #found: Entry[] = [];
  readonly #changed: Atom[] = [];

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  get bytes(): number {
    return this.#lists.bytes + this.#dead.bytes + this.#violated.byteLength;
  }

  /** Files an entry under every atom that it negates. */
  file(entry: Entry, program: readonly number[]): void {
    for (const word of program) {
      const atom = word >> 2;
      this.#lists.reserve(atom + 1);
      this.#dead.reserve(atom + 1);
      const at = this.#lists.extend(atom, 1);
      this.#lists.words[at] = entry;
    }
    this.#entries.records.add(entry, program.length);
    if (entry >= this.#violated.length) {
      const violated = new Uint8Array(Math.max(entry + 1, this.#violated.length * 2));
      violated.set(this.#violated);
      this.#violated = violated;
    }
  }

  /** Counts the records of a removed entry as dead. */
  withdraw(program: readonly number[]): void {
    for (const word of program) {
      const atom = word >> 2;
      if (this.#dead.add(atom, 1) * 2 >= this.#lists.length(atom)) this.#sweep(atom);
    }
  }

  /** Removes dead records from the list of an atom that is about to be removed. */
  clear(atom: Atom): void {
    if (atom < this.#dead.values.length) this.#sweep(atom);
  }

  /**
   * Excludes from the complement the entries that are violated in any state of the current event. Collects those that
   * are violated in only one of two states.
   */
  exclude(event: EventStates, subscribers: Subscribers, complement: Complement, bags: readonly Bag[]): void {
    const { states, live } = event;
    const lists = this.#lists;
    const changed = this.#changed;
    for (let index = 0; index < event.touchedCount; index++) {
      const atom = event.touched[index] as Atom;
      const length = lists.has(atom) ? lists.length(atom) : 0;
      if (length === 0) continue;
      if (states[atom] !== live) {
        changed.push(atom);
      } else {
        subscribers.exclude(lists.words, lists.start(atom), length, complement);
      }
    }
    if (changed.length > 0) this.#excludeChanged(event, subscribers, complement, bags);
  }

  /**
   * Handles atoms that are true in only one state. An entry that such an atom violates can match only in the other
   * state. If two atoms violate it in different states, the entry matches in neither.
   */
  #excludeChanged(
    event: EventStates,
    subscribers: Subscribers,
    complement: Complement,
    bags: readonly Bag[],
  ): void {
    const violated = this.#violated;
    const found = this.#found;
    for (const atom of this.#changed) {
      const start = this.#lists.start(atom);
      const state = event.states[atom] as number;
      for (let at = start, end = start + this.#lists.length(atom); at < end; at++) {
        const entry = this.#lists.words[at] as number;
        const known = violated[entry] as number;
        if (known === 0) found.push(entry);
        violated[entry] = known | state;
      }
    }
    const [out] = bags as readonly [Bag];
    for (const entry of found) {
      out.length = 0;
      subscribers.collect(entry, out);
      const bits = event.live & ~(violated[entry] as number);
      violated[entry] = 0;
      // The list is empty where the entry was removed. An entry's subscribers are all excluded already, or none are.
      if (out.length === 0 || !complement.excludes(out.handles[0] as number)) continue;
      for (let at = 1; at < out.length; at++) complement.excludes(out.handles[at] as number);
      if (bits !== 0) (bags[bits] as Bag).append(out.handles, out.length);
    }
    found.length = 0;
    this.#changed.length = 0;
  }

  #sweep(atom: Atom): void {
    const { words } = this.#lists;
    const start = this.#lists.start(atom);
    const end = start + this.#lists.length(atom);
    let to = start;
    for (let at = start; at < end; at++) {
      const entry = words[at] as number;
      if (this.#entries.isForgotten(entry)) {
        this.#entries.dropRecord(entry);
      } else {
        words[to++] = entry;
      }
    }
    this.#dead.set(atom, 0);
    this.#lists.truncate(atom, to - start);
  }
}
