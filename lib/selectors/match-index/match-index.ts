import type { Vocabulary } from '../compiled/vocabulary.ts';
import { Atoms, NEGATED } from './atoms.ts';
import { Bag, type Handle } from './bag.ts';
import { Bridge } from './bridge.ts';
import { Complement } from './complement.ts';
import { Entries, type Entry, EVERYWHERE } from './entries.ts';
import { EventStates } from './event-states.ts';
import { IntColumn } from './int-column.ts';
import type { Interest, MatchState, Transition } from './interest.ts';
import type { Matches } from './matches.ts';
import { Memory, type Remembered } from './memory.ts';
import { Postings } from './postings.ts';
import { evaluate } from './program.ts';
import { Subscribers } from './subscribers.ts';
import { Violators } from './violators.ts';

/** Of a handle that is free, or whose interest matches nothing. */
const IMPOSSIBLE = -1;
const MEMORY_LIMIT = 32 * 2 ** 20;
/** Fewer forgotten numbers than this are not worth forgetting what is remembered. */
const LEAST_RETIRED = 1024;

export interface MatchIndexOptions {
  /** Whose interned labels {@link MatchState.labels} may be; without one, records and Maps only. */
  readonly vocabulary?: Vocabulary;
  /** Bytes that remembered events may take, 32 MiB by default; 0 remembers none. */
  readonly memoryLimit?: number;
}

/** What the index holds, and an estimate in bytes of each part. */
export interface MatchIndexSize {
  readonly subscriptions: number;
  /** Different interests; identical ones share an entry. */
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Reverse matching: which subscriptions does this object concern? Subscriptions come and go one at a time.
 *
 *     const index = new MatchIndex<string>();
 *     index.add('a', { selector: parseSelector('app=web,env in (prod,qa)') });
 *     index.transitions(undefined, { labels: { app: 'web', env: 'qa' } }); // { entered: ['a'], changed: [], left: [] }
 */
export class MatchIndex<Id = string> {
  readonly #handles = new Map<Id, Handle>();
  readonly #ids: (Id | undefined)[] = [];
  readonly #free: Handle[] = [];
  /** By handle; {@link IMPOSSIBLE} where the interest matches nothing. */
  readonly #entryOf = new IntColumn(IMPOSSIBLE);
  readonly #atoms = new Atoms();
  readonly #entries = new Entries();
  readonly #subscribers = new Subscribers();
  readonly #postings = new Postings(this.#atoms, this.#entries);
  readonly #complement = new Complement();
  readonly #violators = new Violators(this.#entries);
  readonly #memory: Memory;
  readonly #bridge: Bridge | undefined;
  readonly #event: EventStates;
  /** By the bits of {@link EventStates}: left, entered, changed. */
  readonly #bags = [new Bag(), new Bag(), new Bag(), new Bag()] as const;
  readonly #matches: Matches = { left: this.#bags[1], entered: this.#bags[2], changed: this.#bags[3] };

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
    return this.#handles.size;
  }

  has(id: Id): boolean {
    return this.#handles.has(id);
  }

  /** @throws RangeError when the id is there already */
  add(id: Id, interest: Interest): void {
    if (this.#handles.has(id)) throw new RangeError(`subscription ${String(id)} is in the index already`);
    const handle = this.#free.pop() ?? this.#ids.length;
    this.#handles.set(id, handle);
    this.#ids[handle] = id;
    this.#subscribe(handle, interest);
  }

  /** Adds the subscription, or gives it another interest. */
  replace(id: Id, interest: Interest): void {
    const handle = this.#handles.get(id);
    if (handle === undefined) {
      this.add(id, interest);
      return;
    }
    this.#unsubscribe(handle);
    this.#subscribe(handle, interest);
  }

  /** False when the id was not there. */
  remove(id: Id): boolean {
    const handle = this.#handles.get(id);
    if (handle === undefined) return false;
    this.#handles.delete(id);
    this.#ids[handle] = undefined;
    this.#unsubscribe(handle);
    this.#free.push(handle);
    return true;
  }

  /** The subscription a handle of {@link match} stands for. Handles are small integers, reused after a removal. */
  idOf(handle: number): Id {
    return this.#ids[handle] as Id;
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

  /** As {@link match}, a call for each subscription. The visitor must not touch the index. */
  visit(
    before: MatchState | undefined,
    after: MatchState | undefined,
    visitor: (id: Id, transition: Transition) => void,
  ): void {
    const matches = this.match(before, after);
    for (const transition of ['entered', 'changed', 'left'] as const) {
      const { handles, length } = matches[transition];
      for (let at = 0; at < length; at++) visitor(this.#ids[handles[at] ?? -1] as Id, transition);
    }
  }

  /** As {@link match}, as arrays of ids to keep. */
  transitions(before: MatchState | undefined, after: MatchState | undefined): Record<Transition, Id[]> {
    const found: Record<Transition, Id[]> = { entered: [], changed: [], left: [] };
    this.visit(before, after, (id, transition) => found[transition].push(id));
    return found;
  }

  /** Who selects this object? */
  matching(state: MatchState): Id[] {
    return this.transitions(undefined, state).entered;
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
    // An element of an array, and an entry of a Map with its share of the table; the id is the caller's.
    return {
      subscriptions: this.size,
      entries: this.#entries.count,
      bytes: bytes + this.#ids.length * (8 + 40),
    };
  }

  #subscribe(handle: Handle, interest: Interest): void {
    this.#memory.note(handle);
    const program = this.#atoms.acquire(interest);
    if (program === undefined) {
      this.#entryOf.set(handle, IMPOSSIBLE);
      return;
    }
    const known = this.#entries.find(program);
    if (known !== undefined) this.#atoms.releaseAll(program);
    const entry = known ?? this.#createEntry(program);
    this.#entryOf.set(handle, entry);
    this.#subscribers.add(entry, handle);
    if (this.#isEverywhere(entry)) this.#complement.add(handle);
  }

  #unsubscribe(handle: Handle): void {
    this.#memory.note(handle);
    const entry = this.#entryOf.get(handle);
    this.#entryOf.set(handle, IMPOSSIBLE);
    if (entry === IMPOSSIBLE) return;
    if (this.#isEverywhere(entry)) this.#complement.remove(handle);
    this.#subscribers.remove(entry, handle);
    if (this.#subscribers.isEmpty(entry)) this.#forgetEntry(entry);
  }

  #isEverywhere(entry: Entry): boolean {
    return this.#entries.homes.get(entry) === EVERYWHERE;
  }

  #createEntry(program: readonly number[]): Entry {
    const entry = this.#entries.create(program);
    if (program.every((word) => word & NEGATED)) this.#violators.file(entry, program);
    else this.#postings.file(entry, program);
    return entry;
  }

  #forgetEntry(entry: Entry): void {
    const program = this.#entries.program(entry);
    const home = this.#entries.homes.get(entry);
    this.#entries.forget(entry);
    if (home === EVERYWHERE) this.#violators.withdraw(program);
    else this.#postings.withdraw(program, home);
    this.#atoms.releaseAll(program);
    const { retired, end } = this.#atoms;
    if (retired < LEAST_RETIRED || retired * 8 < end) return;
    // What is remembered may name the numbers that are now to be given again.
    this.#memory.clear();
    this.#atoms.recycle();
  }

  #answer(): Matches {
    const remembered = this.#memory.find(this.#event);
    if (remembered !== undefined) {
      this.#catchUp(remembered);
      return remembered.matches;
    }
    this.#search();
    this.#postings.settle();
    return this.#matches;
  }

  /** Whom the event at hand concerns, into the bags. */
  #search(): void {
    const bags = this.#bags;
    for (const bag of bags) bag.length = 0;
    this.#postings.scan(this.#event, this.#subscribers, bags);
    if (this.#complement.count > 0 && this.#event.live !== 0) this.#matchComplement();
    this.#memory.keep(this.#event, bags);
  }

  #catchUp(remembered: Remembered): void {
    const changes = this.#memory.changes(remembered);
    if (changes === undefined) return;
    for (const bag of remembered.bags) bag.drop(changes);
    for (const handle of changes) {
      const entry = this.#entryOf.get(handle);
      if (entry === IMPOSSIBLE) continue;
      const bits = evaluate(this.#entries.program(entry), this.#event);
      if (bits !== 0) remembered.bags[bits]?.push(handle);
    }
    this.#memory.weigh(remembered);
  }

  #matchComplement(): void {
    this.#complement.begin();
    this.#violators.exclude(this.#event, this.#subscribers, this.#complement, this.#bags);
    this.#complement.collect(this.#bags[this.#event.live] as Bag);
  }
}
