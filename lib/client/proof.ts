import { createHash } from 'node:crypto';
import type { Proof } from './message.ts';

/** What {@link digestOf} is modulo. */
const MODULUS = 1n << 128n;

/** Of one object: the first 16 bytes of the SHA-256 of `<namespace>/<name>@<resourceVersion>`. */
export function digestOf(key: string, rv: string): bigint {
  const bytes = createHash('sha256').update(`${key}@${rv}`).digest('hex').slice(0, 32);
  return BigInt(`0x${bytes}`);
}

/** What came does not prove the set: it has to be listed anew. */
export class UnprovenError extends Error {
  override name = 'UnprovenError';
}

/** How long a gap may stay open: what was sent again, after SQS refused it, closes it. In ms. */
const GRACE = 60_000;

/**
 * Checks what messages of a Subscription with `verify: true` say: that none is missing, and that the set is the one
 * that the sender has. It knows the set by what it was told of, in memory.
 */
export class ProofCheck {
  readonly #now: () => number;
  #count = 0;
  #digest = 0n;
  /** Every number up to here came; 0 before the first one. */
  #upTo = 0;
  /** Numbers that came beyond the gap, and since when it is open. */
  readonly #ahead = new Set<number>();
  #since = 0;

  /** Of an empty set. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** An object of the set has another resourceVersion; undefined where it is not in it. */
  change(key: string, before: string | undefined, after: string | undefined): void {
    if (before !== undefined) this.#digest += MODULUS - digestOf(key, before);
    if (after !== undefined) this.#digest += digestOf(key, after);
    this.#digest %= MODULUS;
    this.#count += Number(after !== undefined) - Number(before !== undefined);
  }

  /**
   * After a message was taken. `isNews`: it changed the set, which by now is as the message says.
   *
   * @throws {UnprovenError}
   */
  check({ sequence, set }: Proof, isNews: boolean): void {
    if (this.#upTo === 0) this.#upTo = sequence - 1;
    if (sequence <= this.#upTo) return;
    const isHighest = [...this.#ahead].every((number) => number <= sequence);
    this.#note(sequence);
    if (this.#upTo < sequence) this.#wait();
    if (this.#upTo < sequence || !isHighest || !isNews || set === undefined) return;
    const ours = `${this.#count}/${this.#digest.toString(16).padStart(32, '0')}`;
    if (ours !== set) throw new UnprovenError(`after message ${sequence} the set is ${ours}, and not ${set}`);
  }

  #note(sequence: number): void {
    if (this.#ahead.size === 0) this.#since = this.#now();
    this.#ahead.add(sequence);
    while (this.#ahead.delete(this.#upTo + 1)) this.#upTo += 1;
  }

  #wait(): void {
    if (this.#now() - this.#since < GRACE) return;
    throw new UnprovenError(`message ${this.#upTo + 1} did not come`);
  }
}
