import type { Clock, Logger, RequestRate } from '../platform/index.ts';
import { ContentionError, type Table, ThrottledError, UnknownSchemaError } from '../store/index.ts';
import { Bucket, type Drawn } from './bucket.ts';

/** The result of a request beyond its user's budget. */
export interface RefusedRequest {
  /** The seconds until the user may try again, at least 1. */
  readonly retryAfterSeconds: number;
}

/** A limit of each user's requests, over all processes. */
export interface RequestBudget extends RequestRate {
  /**
   * Takes a token for one request. Returns undefined if a token was left. If this process holds a token, the table is
   * not read.
   */
  take(user: string): Promise<RefusedRequest | undefined>;
}

export interface RequestBudgetOptions extends RequestRate {
  readonly table: Pick<Table, 'update'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The most tokens that a process draws at once. */
const BLOCK = 50;
/** The tokens that a process grants while the table does not answer, for the validity of one block. */
const UNCOUNTED = 10;
/** The time limit of a draw, in ms. After it the request continues uncounted. */
const DRAW = 1_000;
/** The longest validity of a block after its draw, in ms. */
const LONGEST_LEASE = 5_000;
/** The shortest time, in ms, for which a process refuses a user before it reads the table again. */
const REFUSED = 1_000;
/** The most users in the memory of a process, of about 200 bytes each. */
const MOST_USERS = 1_000;

/** The state of one user in this process. */
interface Held {
  /** The tokens left in the block. */
  tokens: number;
  /** The block's size, and the time of its draw. */
  size: number;
  drawn: number;
  /** The time of the refusal, and its duration. */
  refused: number;
  wait: number;
  /** The time when the bucket is full again, from the last draw. */
  full: number | undefined;
  /** The requests that wait for a token. */
  waiting: number;
  drawing: Promise<void> | undefined;
}

/**
 * The budget in one process. It leases a user's tokens from the bucket in blocks: one token at first, then twice the
 * last block as long as blocks are used up, at most 50. A process thus holds about as many tokens as it needs. A block
 * is valid for half the time in which the bucket fills. All processes together admit within any T seconds at most 1.5
 * times the burst plus the rate times T.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { rate, burst } = options;
  const leases = new Leases(options);
  return { rate, burst, take: (user) => leases.take(user) };
}

class Leases {
  readonly #options: RequestBudgetOptions;
  readonly #bucket: Bucket;
  /** The validity of a block, in ms. */
  readonly #lasts: number;
  /** The users in the order of their last request. */
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

  /**
   * Returns the size of the next block: twice the last one if it was used up in time, otherwise the tokens used of
   * it.
   */
  #wanted({ size, tokens, drawn, waiting }: Held): number {
    const isUsedUp = tokens === 0 && isWithin(this.#options.clock.now(), drawn, this.#lasts);
    const used = isUsedUp ? 2 * size : size - tokens;
    return Math.min(BLOCK, Math.max(1, waiting, used));
  }

  /**
   * Draws a block. If the table does not answer, it grants a few tokens: a failure of the counter must not stop the
   * user.
   */
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
      // Only a flood of requests reads one row a thousand times a second.
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

/** Whether a time is within the period. A time in the future is not: the clock was set back. */
const isWithin = (now: number, since: number, lasts: number) => since <= now && now < since + lasts;
