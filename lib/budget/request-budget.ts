import type { Clock, Logger, RequestRate } from '../platform/index.ts';
import { ContentionError, type Table, ThrottledError, UnknownSchemaError } from '../store/index.ts';
import { Bucket, type Drawn } from './bucket.ts';

/** A request that is beyond its user's budget. */
export interface RefusedRequest {
  /** At least 1. */
  readonly retryAfterSeconds: number;
}

/** How many requests each user makes, of all processes. */
export interface RequestBudget extends RequestRate {
  /** Takes a token for one request; undefined where there was one. Resolves without a request of its own where this process holds one. */
  take(user: string): Promise<RefusedRequest | undefined>;
}

export interface RequestBudgetOptions extends RequestRate {
  readonly table: Pick<Table, 'update'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tokens that a process draws at once, at most. */
const BLOCK = 50;
/** Tokens without a draw, where the table does not answer: so many in the time that a block counts. */
const UNCOUNTED = 10;
/** How long a draw may take, in ms; after that the request goes on uncounted. */
const DRAW = 1_000;
/** For how long at most a block counts after it was drawn, in ms. */
const LONGEST_LEASE = 5_000;
/** How long a process refuses a user, at least, before it asks the table again. In ms. */
const REFUSED = 1_000;
/** How many users a process remembers, of about 200 bytes each. */
const MOST_USERS = 1_000;

/** What this process holds of one user. */
interface Held {
  /** Tokens that are left of the block. */
  tokens: number;
  /** The block's tokens, and when it was drawn. */
  size: number;
  drawn: number;
  /** When the user was refused, and for how long. */
  refused: number;
  wait: number;
  /** When the bucket is full again, as the last draw said it. */
  full: number | undefined;
  /** Requests that wait for a token. */
  waiting: number;
  drawing: Promise<void> | undefined;
}

/**
 * The budget as one process keeps it. It leases a user's tokens from the bucket in blocks: of one request at first, then
 * of twice the block before while such blocks are used up, and of 50 at most. So a process holds about what it needs. A
 * block counts for half the time in which the bucket fills: all processes together admit within any T seconds at most
 * 1.5 times the burst and the rate times T.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { rate, burst } = options;
  const leases = new Leases(options);
  return { rate, burst, take: (user) => leases.take(user) };
}

class Leases {
  readonly #options: RequestBudgetOptions;
  readonly #bucket: Bucket;
  /** For how long a block counts, in ms. */
  readonly #lasts: number;
  /** The user that asked last is the last. */
  readonly #users = new Map<string, Held>();

  constructor(options: RequestBudgetOptions) {
    this.#options = options;
    this.#bucket = new Bucket(options);
    this.#lasts = Math.min(LONGEST_LEASE, (options.burst / options.rate / 2) * 1_000);
  }

  async take(user: string): Promise<RefusedRequest | undefined> {
    const { clock } = this.#options;
    const held = this.#of(user);
    for (;;) {
      const now = clock.now();
      if (isWithin(now, held.refused, held.wait)) {
        return { retryAfterSeconds: Math.ceil((held.refused + held.wait - now) / 1_000) };
      }
      if (held.tokens > 0 && isWithin(now, held.drawn, this.#lasts)) {
        held.tokens -= 1;
        return undefined;
      }
      held.waiting += 1;
      try {
        held.drawing ??= this.#draw(user, held).finally(() => {
          held.drawing = undefined;
        });
        await held.drawing;
      } finally {
        held.waiting -= 1;
      }
    }
  }

  async #draw(user: string, held: Held): Promise<void> {
    const { clock } = this.#options;
    const drawn = await this.#ask(user, this.#wanted(held), held);
    const now = clock.now();
    held.full = drawn.full;
    held.tokens = drawn.tokens;
    held.size = drawn.tokens;
    held.drawn = now;
    if ('wait' in drawn) {
      held.refused = now;
      held.wait = Math.max(REFUSED, drawn.wait);
    }
  }

  /** Twice the block before, where that was used up while it counted; else what was used of it. */
  #wanted({ size, tokens, drawn, waiting }: Held): number {
    const isUsedUp = tokens === 0 && isWithin(this.#options.clock.now(), drawn, this.#lasts);
    const used = isUsedUp ? 2 * size : size - tokens;
    return Math.min(BLOCK, Math.max(1, waiting, used));
  }

  /** A draw without an answer gives a few tokens: a failure of the counter must not stop the user. */
  async #ask(
    user: string,
    wanted: number,
    { full }: Held,
  ): Promise<Drawn | { tokens: number; full: undefined }> {
    const { clock, logger } = this.#options;
    try {
      return await this.#bucket.draw({ user, wanted, known: full, signal: clock.deadline(DRAW) });
    } catch (error) {
      if (error instanceof UnknownSchemaError) throw error;
      // Only a flood has one row asked a thousand times a second.
      if (error instanceof ThrottledError || error instanceof ContentionError) {
        return { tokens: 0, full: full ?? 0, wait: REFUSED };
      }
      logger.warn("a user's requests are not counted", { user, error });
      return { tokens: UNCOUNTED, full: undefined };
    }
  }

  #of(user: string): Held {
    const held = this.#users.get(user) ?? begun();
    this.#users.delete(user);
    this.#users.set(user, held);
    for (const [oldest] of this.#users) {
      if (this.#users.size <= MOST_USERS) break;
      this.#users.delete(oldest);
    }
    return held;
  }
}

const begun = (): Held => ({
  tokens: 0,
  size: 0,
  drawn: Number.NEGATIVE_INFINITY,
  refused: Number.NEGATIVE_INFINITY,
  wait: 0,
  full: undefined,
  waiting: 0,
  drawing: undefined,
});

/** Not of a moment that is ahead either: the clock was set back since. */
const isWithin = (now: number, since: number, lasts: number) => since <= now && now < since + lasts;
