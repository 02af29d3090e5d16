import type { EventStates } from './event-states.ts';
import type { Found } from './matches.ts';

/**
 * The layout of a cached event in `words`. The header holds its size in words, its hash, the watermark, its states,
 * and the number of true atoms. It ends with the numbers of subscriptions that the event left, entered and changed.
 * Then come the atoms and the handles.
 */
const HASH = 1;
const WATERMARK = 2;
const LIVE = 3;
const ATOMS = 4;
const COUNTS = 5;
const HEADER = 8;
const LEAST_WORDS = 1 << 10;
const LEAST_SLOTS = 1 << 6;

/** An event, and its subscribers by the bits of its states. */
export interface Answered {
  readonly event: EventStates;
  readonly found: readonly Found[];
}

/**
 * The events that were cached since the last clear. They are stored one after the other, so that reading one is
 * sequential.
 */
export class Generation {
  readonly #limit: number;
  #words = new Int32Array(0);
  /** The event's start plus one, by hash; 0 is empty. On a collision the later event wins. */
  #slots = new Int32Array(0);
  #end = 0;
  #count = 0;

  /** @param limit in words */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#words.byteLength + this.#slots.byteLength;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#end = 0;
    this.#count = 0;
  }

  /** The position of an equal event; -1 if there is none. */
  find(hash: number, event: EventStates): number {
    const at = (this.#slots[hash & (this.#slots.length - 1)] ?? 0) - 1;
    return at >= 0 && this.#isAlike(at, hash, event) ? at : -1;
  }

  /**
   * Points `found` at the subscribers of the event, by the bits of its states. Returns the watermark at which they
   * were right.
   */
  show(at: number, found: readonly Found[]): number {
    const words = this.#words;
    let from = at + HEADER + (words[at + ATOMS] as number);
    for (let bits = 1; bits < found.length; bits++) {
      const end = from + (words[at + COUNTS + bits - 1] as number);
      (found[bits] as Found).point(words, from, end);
      from = end;
    }
    return words[at + WATERMARK] as number;
  }

  /** Adds an event. Returns false where there is no room. `found` must not point into this generation. */
  add(hash: number, watermark: number, { event, found }: Answered): boolean {
    const { touched, touchedCount, states, live } = event;
    let size = HEADER + touchedCount;
    for (let bits = 1; bits < found.length; bits++) size += lengthOf(found[bits] as Found);
    if (this.#end + size > this.#limit) return false;
    this.#reserve(this.#end + size);
    const words = this.#words;
    const at = this.#end;
    words.set([size, hash, watermark, live, touchedCount], at);
    let to = at + HEADER;
    for (let index = 0; index < touchedCount; index++) {
      const atom = touched[index] as number;
      words[to++] = (atom << 2) | (states[atom] as number);
    }
    for (let bits = 1; bits < found.length; bits++) {
      const { handles, start, end } = found[bits] as Found;
      words[at + COUNTS + bits - 1] = end - start;
      words.set(handles.subarray(start, end), to);
      to += end - start;
    }
    this.#end = to;
    if (++this.#count * 2 > this.#slots.length) {
      this.#spread();
    } else {
      this.#slots[hash & (this.#slots.length - 1)] = at + 1;
    }
    return true;
  }

  #isAlike(at: number, hash: number, { live, touchedCount, states }: EventStates): boolean {
    const words = this.#words;
    if (words[at + HASH] !== hash || words[at + LIVE] !== live || words[at + ATOMS] !== touchedCount) {
      return false;
    }
    for (let index = at + HEADER, end = index + touchedCount; index < end; index++) {
      const word = words[index] as number;
      if (states[word >> 2] !== (word & 3)) return false;
    }
    return true;
  }

  #reserve(needed: number): void {
    const old = this.#words;
    if (needed <= old.length) return;
    this.#words = new Int32Array(Math.min(this.#limit, Math.max(needed, old.length * 2, LEAST_WORDS)));
    this.#words.set(old.subarray(0, this.#end));
  }

  #spread(): void {
    this.#slots = new Int32Array(Math.max(LEAST_SLOTS, this.#slots.length * 4));
    const words = this.#words;
    for (let at = 0; at < this.#end; at += words[at] as number) {
      this.#slots[(words[at + HASH] as number) & (this.#slots.length - 1)] = at + 1;
    }
  }
}

function lengthOf({ start, end }: Found): number {
  return end - start;
}
