import type { Clock } from '../../platform/index.ts';

/** The timeouts in a row after which a webhook gets less time. */
const TIMEOUTS = 3;
/** The time that such a webhook gets for a call, in ms. */
const SHORT_TIMEOUT = 1_000;
/** How long it gets less time, in ms. */
const PAUSE = 30_000;

interface Streak {
  readonly timeouts: number;
  /** The time of the last timeout, in ms since the epoch. */
  readonly at: number;
}

/**
 * The webhooks that timed out in this process. A server that hangs would otherwise take the whole time of every
 * write that it is asked about.
 */
export class SlowWebhooks {
  readonly #clock: Clock;
  readonly #streaks = new Map<string, Streak>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time that a webhook gets now, in ms. */
  timeoutOf(webhook: string, timeout: number): number {
    const streak = this.#streaks.get(webhook);
    if (streak === undefined || streak.timeouts < TIMEOUTS) return timeout;
    return this.#clock.now() - streak.at < PAUSE ? Math.min(SHORT_TIMEOUT, timeout) : timeout;
  }

  timedOut(webhook: string): void {
    const timeouts = (this.#streaks.get(webhook)?.timeouts ?? 0) + 1;
    this.#streaks.set(webhook, { timeouts, at: this.#clock.now() });
  }

  answered(webhook: string): void {
    this.#streaks.delete(webhook);
  }
}
