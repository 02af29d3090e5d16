import type { Vocabulary } from '../compiled/index.ts';
import { Atoms } from './atoms.ts';
import { Bag, type Handle } from './bag.ts';
import { Bridge } from './bridge.ts';
import { Complement } from './complement.ts';
import { Entries, type Entry, EVERYWHERE } from './entries.ts';
import { EventStates } from './event-states.ts';
import { IntColumn } from './int-column.ts';
import type { Interest, MatchState } from './interest.ts';
import { acquireProgram } from './interest-program.ts';
import { Found, type Matches } from './matches.ts';
import { Memory } from './memory.ts';
import { Postings } from './postings.ts';
import { evaluate, NEGATED } from './program.ts';
import { Subscribers } from './subscribers.ts';
import { Violators } from './violators.ts';

/** Of a handle whose interest matches nothing, and of one that is free. */
const IMPOSSIBLE = -1;
const FREE = -2;
const MEMORY_LIMIT = 48 * 2 ** 20;
/** Fewer forgotten numbers than this are not worth forgetting what is remembered. */
const LEAST_RETIRED = 1024;

export interface MatchIndexOptions {
  /** Whose interned labels {@link MatchState.labels} may be; without one, records and Maps only. */
  readonly vocabulary?: Vocabulary;
  /** Bytes that remembered events may take, 48 MiB by default; 0 remembers none. */
  readonly memoryLimit?: number;
}

/** What the index holds, and an estimate in bytes of all its parts. */
export interface MatchIndexSize {
  readonly subscriptions: number;
  /** Different interests; identical ones share an entry. */
  readonly entries: number;
  readonly bytes: number;
}

/**
 * What `MatchIndex` is made of, for a caller that knows its subscriptions by number: it gives each a handle, a small
 * integer given again after its removal, by which the caller keeps in arrays what it knows of the subscription.
 *
 *     const index = new HandleIndex();
 *     const handle = index.add({ selector: parseSelector('app=web') });
 *     index.match(undefined, { labels: { app: 'web' } }).entered; // handles[0] is the handle, length is 1
 */
export class HandleIndex {
  readonly #free: Handle[] = [];
  #end = 0;
  /** By handle; or {@link IMPOSSIBLE}, or {@link FREE}. */
  readonly #entryOf = new IntColumn(FREE);
  readonly #atoms = new Atoms();
  readonly #entries = new Entries();
  readonly #subscribers = new Subscribers();
  readonly #postings = new Postings(this.#atoms, this.#entries, this.#subscribers);
  readonly #complement = new Complement();
  readonly #violators = new Violators(this.#entries);
  readonly #memory: Memory;
  readonly #bridge: Bridge | undefined;
  readonly #event: EventStates;
  /** By the bits of {@link EventStates}: left, entered, changed. */
  readonly #bags = [new Bag(), new Bag(), new Bag(), new Bag()] as const;
  readonly #found = [new Found(), new Found(), new Found(), new Found()] as const;
  readonly #matches: Matches = { left: this.#found[1], entered: this.#found[2], changed: this.#found[3] };

  constructor({ vocabulary, memoryLimit = MEMORY_LIMIT }: MatchIndexOptions = {}) {
    this.#memory = new Memory(memoryLimit);
    this.#bridge = vocabulary === undefined ? undefined : new Bridge(vocabulary, this.#atoms);
    this.#event = new EventStates(this.#atoms, this.#bridge);
    this.#atoms.onName = (term, value, atom) => this.#bridge?.name(term, value, atom);
    this.#atoms.onRetire = (atom) => {
      this.#postings.clear(atom);
      this.#violators.clear(atom);
    };
  }

  get size(): number {
    return this.#end - this.#free.length;
  }

  add(interest: Interest): Handle {
    const handle = this.#free.pop() ?? this.#end++;
    this.#subscribe(handle, interest);
    return handle;
  }

  /** @throws RangeError when there is no such subscription */
  replace(handle: Handle, interest: Interest): void {
    this.#unsubscribe(handle);
    this.#subscribe(handle, interest);
  }

  /** @throws RangeError when there is no such subscription */
  remove(handle: Handle): void {
    this.#unsubscribe(handle);
    this.#entryOf.set(handle, FREE);
    this.#free.push(handle);
  }

  /**
   * The subscriptions an event concerns, by handle and without allocating: `before` is absent for a new object,
   * `after` for one that is gone. The answer is borrowed: see {@link Matches}.
   */
  match(before: MatchState | undefined, after: MatchState | undefined): Matches {
    try {
      this.#event.read(before, after);
      return this.#answer();
    } finally {
      this.#event.clear();
    }
  }

  /** How much the index holds. */
  measure(): MatchIndexSize {
    const parts = [
      this.#atoms,
      this.#entries,
      this.#subscribers,
      this.#postings,
      this.#complement,
      this.#violators,
      this.#memory,
    ];
    const bytes = parts.reduce((sum, part) => sum + part.bytes, this.#entryOf.bytes);
    return { subscriptions: this.size, entries: this.#entries.count, bytes };
  }

  #subscribe(handle: Handle, interest: Interest): void {
    this.#memory.note(handle);
    const program = acquireProgram(this.#atoms, interest);
    if (program === undefined) {
      this.#entryOf.set(handle, IMPOSSIBLE);
      return;
    }
    const known = this.#entries.find(program);
    if (known !== undefined) this.#atoms.releaseAll(program);
    const entry = known ?? this.#entries.create(program);
    this.#entryOf.set(handle, entry);
    this.#subscribers.add(entry, handle);
    if (known === undefined) {
      this.#file(entry, program);
    } else if (!this.#isEverywhere(entry)) this.#postings.touch(entry, program);
    if (this.#isEverywhere(entry)) this.#complement.add(handle);
  }

  #unsubscribe(handle: Handle): void {
    const entry = this.#entryOf.values[handle] ?? FREE;
    if (entry === FREE) throw new RangeError(`no subscription has the handle ${handle}`);
    this.#memory.note(handle);
    this.#entryOf.set(handle, IMPOSSIBLE);
    if (entry === IMPOSSIBLE) return;
    if (this.#isEverywhere(entry)) this.#complement.remove(handle);
    this.#subscribers.remove(entry, handle);
    if (this.#subscribers.count(entry) === 0) {
      this.#forgetEntry(entry);
    } else if (!this.#isEverywhere(entry)) this.#postings.touch(entry, this.#entries.program(entry));
  }

  #isEverywhere(entry: Entry): boolean {
    return this.#entries.homes.get(entry) === EVERYWHERE;
  }

  #file(entry: Entry, program: readonly number[]): void {
    if (program.every((word) => word & NEGATED)) {
      this.#violators.file(entry, program);
    } else {
      this.#postings.file(entry, program);
    }
  }

  #forgetEntry(entry: Entry): void {
    const program = this.#entries.program(entry);
    const home = this.#entries.homes.get(entry);
    this.#entries.forget(entry);
    if (home === EVERYWHERE) {
      this.#violators.withdraw(program);
    } else {
      this.#postings.withdraw(program, home);
    }
    this.#atoms.releaseAll(program);
    const { retired, end } = this.#atoms;
    if (retired < LEAST_RETIRED || retired * 8 < end) return;
    // What is remembered may name the numbers that are now to be given again.
    this.#memory.clear();
    this.#atoms.recycle();
  }

  #answer(): Matches {
    if (this.#memory.recall({ event: this.#event, found: this.#found })) {
      this.#catchUp();
    } else {
      this.#search();
    }
    this.#postings.settle();
    return this.#matches;
  }

  #search(): void {
    const bags = this.#bags;
    for (const bag of bags) bag.length = 0;
    this.#postings.scan(this.#event, bags);
    if (this.#complement.count > 0 && this.#event.live !== 0) this.#matchComplement();
    this.#tell();
  }

  /** Brings what was recalled up to date, in the bags. */
  #catchUp(): void {
    const changes = this.#memory.changes();
    if (changes === undefined) return;
    for (const [bits, bag] of this.#bags.entries()) bag.assign(this.#found[bits] as Found, changes);
    for (const handle of changes) {
      const entry = this.#entryOf.get(handle);
      if (entry === IMPOSSIBLE || entry === FREE) continue;
      const bits = evaluate(this.#entries.program(entry), this.#event);
      if (bits !== 0) this.#bags[bits]?.push(handle);
    }
    this.#tell();
  }

  /** The bags hold the subscribers of the current event. */
  #tell(): void {
    const found = this.#found;
    for (let bits = 1; bits < found.length; bits++) {
      const { handles, length } = this.#bags[bits] as Bag;
      (found[bits] as Found).point(handles, 0, length);
    }
    this.#memory.keep({ event: this.#event, found });
  }

  #matchComplement(): void {
    this.#complement.begin();
    this.#violators.exclude(this.#event, this.#subscribers, this.#complement, this.#bags);
    this.#complement.collect(this.#bags[this.#event.live] as Bag);
  }
}
