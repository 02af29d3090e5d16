import type { Atom } from './atom.ts';
import type { Handle } from './bag.ts';
import type { EventStates } from './event-states.ts';
import { type Answered, Generation } from './generation.ts';

/**
 * The most changed subscriptions with which a cached event is brought up to date. After more changes the index searches
 * again.
 */
const MOST_CHANGES = 16;
/** The length of the log of changes; a power of two above {@link MOST_CHANGES}. */
const LOG = 64;
/** The number of hashes of events that were seen once. */
const SIGHTINGS = 1 << 14;
/** After this many new events in a row, only every eighth is looked up. */
const TIRED = 256;
const SAMPLE = 8;
const WORD = 4;

/**
 * A cache of matches. The events of a rollout often agree in all atoms that interests use.
 *
 * - An event is cached from its second occurrence on, in two generations.
 * - When the younger generation is full, the older is dropped. Entries that were used since then were copied to the
 *   younger.
 * - Adding or removing a subscription costs a word in a log. A cached event catches up at its next use.
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
  /** The hash of the current event; 0 where it is not to be cached. */
  #hash = 0;
  /** The length of the log at which the result of {@link recall} was right. */
  #watermark = 0;
  /** Whether the recalled result is from the older generation. Then {@link keep} must copy it to the younger one. */
  #isOld = false;

  /** @param limit in bytes; 0 caches nothing */
  constructor(limit: number) {
    this.#isOff = limit === 0;
    this.#young = new Generation(limit / WORD / 2);
    this.#old = new Generation(limit / WORD / 2);
  }

  get bytes(): number {
    return this.#young.bytes + this.#old.bytes + this.#sightings.byteLength + this.#log.byteLength;
  }

  /** Logs that a subscription was added, removed or changed. */
  note(handle: Handle): void {
    this.#log[this.#logged++ & (LOG - 1)] = handle;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  /** Looks up the subscribers of an equal earlier event. The caller corrects them by {@link changes}. */
  recall({ event, found }: Answered): boolean {
    this.#hash = 0;
    // A cached event consists of atoms. The numbers of comparisons are not among them.
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
   * The subscriptions that changed since the recalled result was right. Undefined where the result is current and
   * need not be copied. Once the current matches are cached, these changes are not returned again.
   */
  changes(): Set<Handle> | undefined {
    if (this.#watermark === this.#logged && !this.#isOld) return undefined;
    const changed = new Set<Handle>();
    for (let at = this.#watermark; at < this.#logged; at++) changed.add(this.#log[at & (LOG - 1)] as Handle);
    return changed;
  }

  /** Caches the matches of the current event, if it was seen before. */
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

/** The hash of an event, independent of the labels' order; never 0. */
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
