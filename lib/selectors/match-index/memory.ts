import type { Atom, Term } from './atoms.ts';
import { Bag, type Handle } from './bag.ts';
import type { EventStates } from './event-states.ts';
import type { Matches } from './matches.ts';

/** Changes of subscriptions that a remembered event is brought up to date with; after more it is forgotten. */
const MOST_CHANGES = 16;
/** Kept of the log of changes; a power of two above {@link MOST_CHANGES}. */
const LOG = 64;
/** Hashes of events seen once. */
const SIGHTINGS = 1 << 12;
/** After so many events unlike any before, only every eighth is looked up. */
const TIRED = 256;
const SAMPLE = 8;
/** An event may take up this part of the limit. */
const LARGEST_PART = 8;
/** The objects around the integers of one remembered event. */
const OVERHEAD = 900;

/** An event by what interests can tell of it, and whom it concerned at one time. */
export interface Remembered {
  readonly live: number;
  /** The atoms that were true: `atom << 2`, plus the states. */
  readonly words: Int32Array;
  readonly compared: readonly Comparison[];
  readonly bags: readonly [Bag, Bag, Bag, Bag];
  readonly matches: Matches;
  readonly hash: number;
  bytes: number;
  /** How long the log of changes was when the matches were right. */
  watermark: number;
  /** Asked for since it was last spared. */
  isUsed: boolean;
}

interface Comparison {
  readonly term: Term;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Events of a rollout are alike in all that any interest names, so their matches are remembered: from the second
 * such event on, within a limit of bytes, the longest unused forgotten first. Adding or removing a subscription
 * costs a word in a log; who is remembered catches up when it is next asked for.
 */
export class Memory {
  readonly #limit: number;
  readonly #events = new Map<number, Remembered>();
  readonly #sightings = new Int32Array(SIGHTINGS);
  readonly #log = new Int32Array(LOG);
  #logged = 0;
  #strangers = 0;
  #skipped = 0;
  /** The hash of the event at hand; 0 where it is not to be remembered. */
  #hash = 0;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes + this.#sightings.byteLength + this.#log.byteLength;
  }

  /** A subscription was added, removed, or asks for something else. */
  note(handle: Handle): void {
    this.#log[this.#logged++ & (LOG - 1)] = handle;
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }

  /** What is remembered of an event like the one at hand, and may have to catch up with {@link changes}. */
  find(event: EventStates): Remembered | undefined {
    this.#hash = 0;
    if (this.#limit === 0) return undefined;
    if (this.#strangers > TIRED && ++this.#skipped % SAMPLE !== 0) return undefined;
    const hash = hashOf(event);
    const remembered = this.#events.get(hash);
    if (remembered === undefined || !isAlike(remembered, event)) {
      this.#sight(hash);
      return undefined;
    }
    if (this.#logged - remembered.watermark > MOST_CHANGES) {
      this.#hash = hash;
      return undefined;
    }
    remembered.isUsed = true;
    this.#strangers = 0;
    return remembered;
  }

  /** The subscriptions that changed since; undefined where none did. */
  changes(remembered: Remembered): Set<Handle> | undefined {
    if (remembered.watermark === this.#logged) return undefined;
    const changed = new Set<Handle>();
    for (let at = remembered.watermark; at < this.#logged; at++)
      changed.add(this.#log[at & (LOG - 1)] as Handle);
    remembered.watermark = this.#logged;
    return changed;
  }

  /** Remembers the matches of the event at hand, if it was seen before. */
  keep(event: EventStates, bags: readonly Bag[]): void {
    if (this.#hash === 0) return;
    this.#forget(this.#events.get(this.#hash));
    const matches = bags.reduce((sum, bag, at) => sum + (at === 0 ? 0 : bag.length), 0);
    const bytes = OVERHEAD + 4 * (matches + event.touchedCount);
    if (bytes * LARGEST_PART > this.#limit) return;
    for (const oldest of this.#events.values()) {
      if (this.#bytes + bytes <= this.#limit) break;
      this.#forget(oldest);
      if (oldest.isUsed) this.#spare(oldest);
    }
    const [left, entered, changed] = bags.slice(1).map((bag) => bag.copy()) as [Bag, Bag, Bag];
    this.#bytes += bytes;
    this.#events.set(this.#hash, {
      live: event.live,
      words: wordsOf(event),
      compared: event.compared.map((term) => ({ term, before: term.before, after: term.after })),
      bags: [new Bag(0), left, entered, changed],
      matches: { left, entered, changed },
      hash: this.#hash,
      bytes,
      watermark: this.#logged,
      isUsed: false,
    });
  }

  /** It caught up: counts what its matches take now. */
  weigh(remembered: Remembered): void {
    const capacity = remembered.bags.reduce((sum, { handles }) => sum + handles.length, 0);
    const bytes = OVERHEAD + 4 * (capacity + remembered.words.length);
    this.#bytes += bytes - remembered.bytes;
    remembered.bytes = bytes;
  }

  #sight(hash: number): void {
    const place = hash & (SIGHTINGS - 1);
    if (this.#sightings[place] === hash) {
      this.#hash = hash;
      this.#strangers = 0;
    } else {
      this.#sightings[place] = hash;
      this.#strangers++;
    }
  }

  #forget(remembered: Remembered | undefined): void {
    if (remembered === undefined) return;
    this.#events.delete(remembered.hash);
    this.#bytes -= remembered.bytes;
  }

  /** Who was used since it was last looked at stays, for now. */
  #spare(remembered: Remembered): void {
    remembered.isUsed = false;
    this.#events.set(remembered.hash, remembered);
    this.#bytes += remembered.bytes;
  }
}

/** Independent of the labels' order; never 0. */
function hashOf({ touched, touchedCount, states, live }: EventStates): number {
  let sum = live;
  for (let at = 0; at < touchedCount; at++) {
    const atom = touched[at] as Atom;
    const mixed = Math.imul(((atom << 2) | (states[atom] as number)) ^ 0x5bd1e995, 0x9e3779b1);
    sum = (sum + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)) | 0;
  }
  sum ^= sum >>> 13;
  return sum === 0 ? 1 : sum;
}

function wordsOf({ touched, touchedCount, states }: EventStates): Int32Array {
  return touched.slice(0, touchedCount).map((atom) => (atom << 2) | (states[atom] as number));
}

function isAlike({ live, words, compared }: Remembered, event: EventStates): boolean {
  if (live !== event.live || words.length !== event.touchedCount) return false;
  const { states } = event;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    if (states[word >> 2] !== (word & 3)) return false;
  }
  if (compared.length === 0 && event.compared.length === 0) return true;
  return (
    new Set(event.compared).size === new Set(compared.map(({ term }) => term)).size &&
    compared.every(
      ({ term, before, after }) => term.before === before && term.after === after && term.compared > 0,
    )
  );
}
