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

/** The entry of a handle whose interest matches nothing, and that of a free handle. */
const IMPOSSIBLE = -1;
const FREE = -2;
const MEMORY_LIMIT = 48 * 2 ** 20;
/** The least number of retired atoms for which clearing the cache is worthwhile. */
const LEAST_RETIRED = 1024;

export interface MatchIndexOptions {
  /** The vocabulary of interned labels in {@link MatchState.labels}. Without it, labels are records or Maps only. */
  readonly vocabulary?: Vocabulary;
  /** The most bytes of cached events, 48 MiB by default; 0 disables the cache. */
  readonly memoryLimit?: number;
}

/** The contents of the index, and an estimate of its size in bytes. */
export interface MatchIndexSize {
  readonly subscriptions: number;
  /** Distinct interests; identical ones share an entry. */
  readonly entries: number;
  readonly bytes: number;
}

/**
 * The index that `MatchIndex` is built on, for callers that know their subscriptions by number. It gives each
 * subscription a handle: a small integer that is reused after a removal. The caller can use it as an index into its
 * own arrays.
 *
 *     const index = new HandleIndex();
 *     const handle = index.add({ selector: parseSelector('app=web') });
 *     index.match(undefined, { labels: { app: 'web' } }).entered; // handles[0] is the handle, length is 1
 */
export class HandleIndex {
  readonly #free: Handle[] = [];
  #end = 0;
  /** The entry by handle; or {@link IMPOSSIBLE}, or {@link FREE}. */
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
  /** The results by the bits of {@link EventStates}: left, entered, changed. */
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
   * Returns the subscriptions that an event concerns, by handle and without allocating. `before` is absent for a new
   * object, `after` for a deleted one. The result is borrowed: see {@link Matches}.
   */
  match(before: MatchState | undefined, after: MatchState | undefined): Matches {
    try {
      this.#event.read(before, after);
      return this.#answer();
    } finally {
      this.#event.clear();
    }
  }

  /** The size of the index. */
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
    // Cached events may contain the numbers that are now reused.
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

  /** Brings a cached result up to date, in the bags. */
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

  /** Points the result at the bags, which hold the subscribers of the current event, and caches it. */
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
