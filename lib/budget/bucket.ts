import { createHash } from 'node:crypto';
import { type Clock, type RequestRate, TABLE, TIMING } from '../platform/index.ts';
import { budgetKey, ContentionError, type Table, type Update } from '../store/index.ts';

export interface BucketOptions extends RequestRate {
  readonly table: Pick<Table, 'update'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface DrawRequest {
  /** The user's name, of any length and any characters. */
  readonly user: string;
  /** The number of tokens to draw, at least 1. */
  readonly wanted: number;
  /** The state of the bucket after this process' last draw. */
  readonly known?: number | undefined;
  readonly signal: AbortSignal;
}

/** The tokens drawn; or, if the bucket is empty, the milliseconds until it has a token. */
export type Drawn =
  | { readonly tokens: number; readonly full: number }
  | { readonly tokens: 0; readonly full: number; readonly wait: number };

/** Microseconds in a millisecond. The row's `full` is in microseconds, in which every whole rate is exact enough. */
const MICRO = 1_000;
/** The attempts of one draw. Each begins with the state that the failed one before it read. */
const ATTEMPTS = 20;
/** The time, in seconds, after which the row of a full bucket expires. A missing row means a full bucket. */
const KEPT = 3_600;

/**
 * The token buckets of users. Each is a row of the table with the time when the bucket is full again (`full`, in
 * microseconds since the Unix epoch). A draw advances that time by one conditional update. A bucket therefore never
 * gives
 * more than it holds, even if several processes draw at once.
 */
export class Bucket {
  readonly #options: BucketOptions;
  /** The microseconds in which one token is refilled. */
  readonly #each: number;

  constructor(options: BucketOptions) {
    this.#options = options;
    this.#each = (1_000 * MICRO) / options.rate;
  }

  /**
   * Draws tokens. A process draws more than one token, to serve later requests without another draw, only while the
   * bucket is at least half full. Tokens that it then does not use are lost. So each draw from the lower half takes one
   * token, for a request that already waits.
   *
   * @throws {ContentionError} other processes changed the row at each attempt
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
      // The time only advances, so a bucket that was empty is still empty.
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

  /** Returns the update of a row that a clock far ahead wrote. The row would refuse its user until that time. */
  #reset(full: number, tokens: number, now: number): Update {
    const next = now + Math.ceil(tokens * this.#each);
    return {
      set: { full: next, ...expiry(next) },
      condition: [{ attribute: 'full', is: '=', value: full }],
    };
  }
}

const expiry = (full: number) => ({ [TABLE.ttl]: Math.ceil(full / MICRO / 1_000) + KEPT });

/** Returns a short key without the character that separates parts of keys. */
const digest = (user: string) => createHash('sha256').update(user).digest('base64url');
