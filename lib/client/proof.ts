import { createHash } from 'node:crypto';
import type { Proof } from './message.ts';

/** The modulus of the sum of {@link digestOf}. */
const MODULUS = 1n << 128n;

/** The digest of one object: the first 16 bytes of the SHA-256 of `<namespace>/<name>@<resourceVersion>`. */
export function digestOf(key: string, rv: string): bigint {
  const bytes = createHash('sha256').update(`${key}@${rv}`).digest('hex').slice(0, 32);
  return BigInt(`0x${bytes}`);
}

/** The messages do not prove the set, so it must be listed again. */
export class UnprovenError extends Error {
  override name = 'UnprovenError';
}

/**
 * How long a gap in the sequence may stay open, in ms. If SQS refused a message, Winnow sends it again, and that
 * closes the gap.
 */
const GRACE = 60_000;

/**
 * Checks the proofs in messages of a Subscription with `verify: true`: no message is missing, and the set equals the
 * sender's. It computes the set's count and digest in memory from the reported changes.
 */
export class ProofCheck {
  readonly #now: () => number;
  #count = 0;
  #digest = 0n;
  /** Every sequence number up to this one has arrived; 0 before the first. */
  #upTo = 0;
  /** The numbers that arrived beyond the gap, and the time since when it is open. */
  readonly #ahead = new Set<number>();
  #since = 0;

  /** Creates a check of an empty set. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a new resourceVersion of an object. Undefined means that the object is not in the set. */
  change(key: string, before: string | undefined, after: string | undefined): void {
    if (before !== undefined) this.#digest += MODULUS - digestOf(key, before);
    if (after !== undefined) this.#digest += digestOf(key, after);
    this.#digest %= MODULUS;
    this.#count += Number(after !== undefined) - Number(before !== undefined);
  }

  /**
   * Checks the proof of a message that was applied. `isNews` means that it changed the set, so that the set must now
   * equal the proof.
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
