import type { Atom } from './atom.ts';
import type { Handle } from './bag.ts';
import type { EventStates } from './event-states.ts';
import { type Answered, Generation } from './generation.ts';

/** Changes of subscriptions that a remembered event is brought up to date with; after more it is looked for anew. */
const MOST_CHANGES = 16;
/** Kept of the log of changes; a power of two above {@link MOST_CHANGES}. */
const LOG = 64;
/** Hashes of events seen once. */
const SIGHTINGS = 1 << 14;
/** After so many events unlike any before, only every eighth is looked up. */
const TIRED = 256;
const SAMPLE = 8;
const WORD = 4;

/**
 * Events of a rollout are alike in all that any interest names, so their matches are remembered: from the second
 * such event on, in two generations. When the younger is full the older is forgotten, and who was asked for since
 * was copied to the younger. Adding or removing a subscription costs a word in a log; who is remembered catches up
 * when it is next asked for.
 */
export class Memory {
  #young: Generation;
  #old: Generation;
  readonly #isOff: boolean;
  readonly #sightings = new Int32Array(SIGHTINGS);
  readonly #log = new Int32Array(LOG);
  #logged = 0;
  #strangers = 0;
  #skipped = 0;
  /** The hash of the event at hand; 0 where it is not to be remembered. */
  #hash = 0;
  /** How long the log was when what {@link recall} gave was right. */
  #watermark = 0;
  /** Whether that is of the older generation, and to be kept once more. */
  #isOld = false;

  /** @param limit in bytes; 0 remembers nothing */
  constructor(limit: number) {
    this.#isOff = limit === 0;
    this.#young = new Generation(limit / WORD / 2);
    this.#old = new Generation(limit / WORD / 2);
  }

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#sightings.byteLength + this.#log.byteLength;
  }

  /** A subscription was added, removed, or asks for something else. */
  note(handle: Handle): void {
    this.#log[this.#logged++ & (LOG - 1)] = handle;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  /** Finds the subscribers of an equal earlier event, to be corrected by {@link changes}. */
  recall({ event, found }: Answered): boolean {
    this.#hash = 0;
    // The numbers behind a comparison are not among the atoms, which is all that is remembered of an event.
    if (this.#isOff || event.compared.length > 0) return false;
    if (this.#strangers > TIRED && ++this.#skipped % SAMPLE !== 0) return false;
    const hash = hashOf(event);
    const young = this.#young.find(hash, event);
    const old = young === -1 ? this.#old.find(hash, event) : -1;
    if (young === -1 && old === -1) {
      this.#sight(hash);
      return false;
    }
    this.#hash = hash;
    this.#strangers = 0;
    this.#isOld = young === -1;
    this.#watermark = this.#isOld ? this.#old.show(old, found) : this.#young.show(young, found);
    return this.#logged - this.#watermark <= MOST_CHANGES;
  }

  /**
   * The subscriptions that changed since what was recalled was right; undefined where it can be taken as it is. It is
   * not told again once the matches of today are kept.
   */
  changes(): Set<Handle> | undefined {
    if (this.#watermark === this.#logged && !this.#isOld) return undefined;
    const changed = new Set<Handle>();
    for (let at = this.#watermark; at < this.#logged; at++) changed.add(this.#log[at & (LOG - 1)] as Handle);
    return changed;
  }

  /** Remembers the matches of the event at hand, if it was seen before. */
  keep(answered: Answered): void {
    if (this.#hash === 0 || this.#young.add(this.#hash, this.#logged, answered)) return;
    [this.#young, this.#old] = [this.#old, this.#young];
    this.#young.clear();
    this.#young.add(this.#hash, this.#logged, answered);
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
