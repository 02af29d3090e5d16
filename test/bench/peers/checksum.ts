import type { Found } from './protocol.ts';

/** Odd numbers, one a transition. */
export const ENTERED = 0x9e3779b1;
export const CHANGED = 0x85ebca6b;
export const LEFT = 0xc2b2ae35;

/**
 * What a run found, after each of its events. The hash of an event is the sum of (subscription + 1) × transition
 * over its matches, in 32 bits, so their order does not count; that of a run takes the events in order.
 */
export class Checksum {
  readonly #matches: Float64Array;
  readonly #hashes: Uint32Array;
  #events = 0;

  constructor(events: number) {
    this.#matches = new Float64Array(events + 1);
    this.#hashes = new Uint32Array(events + 1);
  }

  add(matches: number, hash: number): void {
    const at = this.#events++;
    this.#matches[at + 1] = (this.#matches[at] ?? 0) + matches;
    this.#hashes[at + 1] = Math.imul(this.#hashes[at] ?? 0, 31) + hash;
  }

  after(events: number): Found {
    if (events > this.#events) throw new RangeError(`the run had ${this.#events} events, not ${events}`);
    return { matches: this.#matches[events] ?? 0, hash: this.#hashes[events] ?? 0 };
  }
}
