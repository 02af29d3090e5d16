import { createHash } from 'node:crypto';
import { type Clock, type RequestRate, TABLE, TIMING } from '../platform/index.ts';
import { budgetKey, ContentionError, type Table, type Update } from '../store/index.ts';

export interface BucketOptions extends RequestRate {
  readonly table: Pick<Table, 'update'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface DrawRequest {
  /** A name of any length and any characters. */
  readonly user: string;
  /** Tokens, at least 1. */
  readonly wanted: number;
  /** What an earlier draw of this process said of the same bucket. */
  readonly known?: number | undefined;
  readonly signal: AbortSignal;
}

/** `tokens`, or where there are none, the ms until there is one. */
export type Drawn =
  | { readonly tokens: number; readonly full: number }
  | { readonly tokens: 0; readonly full: number; readonly wait: number };

/** Microseconds in a millisecond: the unit of the row's `full`, in which every whole rate is exact enough. */
const MICRO = 1_000;
/** Attempts of one draw, each with what the failed one before saw. */
const ATTEMPTS = 20;
/** How long after the bucket is full its row is kept: a row that is gone stands for a full bucket. In seconds. */
const KEPT = 3_600;

/**
 * The token buckets of users, one row of the table each, which holds only the moment at which the bucket is full again
 * (`full`, in microseconds since the Unix epoch). A draw moves that moment on by one conditional update. So a bucket
 * never gives more than it holds, whichever processes draw side by side.
 */
export class Bucket {
  readonly #options: BucketOptions;
  /** Microseconds that one token takes. */
  readonly #each: number;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#each = (1_000 * MICRO) / options.rate;
  }

  /**
   * Draws tokens. More than one only from the upper half of the bucket: what a process draws and does not use is lost
   * to its user, and the lower half is for requests that are there.
   *
   * @throws {ContentionError} others changed the row each time
   * @throws the table's errors
   */
  async draw({ user, wanted, known = 0, signal }: DrawRequest): Promise<Drawn> {
    const { table, clock, burst } = this.#options;
    const key = budgetKey(digest(user));
    let full = known;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const now = clock.now() * MICRO;
      const broken = full > now + burst * this.#each + TIMING.skew * MICRO;
      const taken = broken ? 0 : Math.max(0, full - now);
      const left = burst - taken / this.#each;
      // The moment only ever moves on: a bucket that was known as empty is empty.
      if (left < 1) return { tokens: 0, full, wait: Math.ceil(((1 - left) * this.#each) / MICRO) };
      const tokens = Math.max(1, Math.min(wanted, Math.floor(left - burst / 2)));
      const change = broken ? this.#reset(full, tokens, now) : this.#change(taken > 0, tokens, now);
      const { outcome, existing, row } = await table.update(key, change, signal);
      if (outcome === 'done') return { tokens, full: Number(row?.full) };
      full = Number(existing?.full ?? 0);
    }
    throw new ContentionError(`the budget of ${user} was changed by others ${ATTEMPTS} times`);
  }

  #change(isTaken: boolean, tokens: number, now: number): Update {
    const { burst } = this.#options;
    const cost = Math.ceil(tokens * this.#each);
    if (!isTaken) {
      const isFull = { any: [{ missing: 'full' }, { attribute: 'full', is: '<', value: now + 1 } as const] };
      return { set: { full: now + cost, ...expiry(now + cost) }, condition: [isFull] };
    }
    const most = now + Math.floor((burst - tokens) * this.#each);
    return {
      add: { full: cost },
      set: expiry(most + cost),
      condition: [
        { attribute: 'full', is: '>', value: now },
        { attribute: 'full', is: '<', value: most + 1 },
      ],
    };
  }

  /** Of a row that a clock wrote which was far ahead: it would refuse its user until that time comes. */
  #reset(full: number, tokens: number, now: number): Update {
    const next = now + Math.ceil(tokens * this.#each);
    return {
      set: { full: next, ...expiry(next) },
      condition: [{ attribute: 'full', is: '=', value: full }],
    };
  }
}

const expiry = (full: number) => ({ [TABLE.ttl]: Math.ceil(full / MICRO / 1_000) + KEPT });

/** Keys are short, and hold no character that separates their parts. */
const digest = (user: string) => createHash('sha256').update(user).digest('base64url');
