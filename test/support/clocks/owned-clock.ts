import type { Clock } from '../../../lib/platform/index.ts';

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock that a test moves: a sleeper wakes only when the clock reaches its time. */
export class OwnedClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();
  readonly #lookers = new Set<{ at: number }>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { at: this.#now + milliseconds, wake: () => done() };
      const done = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  deadline(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const sleeper = {
      at: this.#now + milliseconds,
      wake: () => {
        this.#sleepers.delete(sleeper);
        controller.abort();
      },
    };
    this.#sleepers.add(sleeper);
    return controller.signal;
  }

  every(milliseconds: number, look: () => void): () => void {
    const sleeper = { at: this.#now + milliseconds, wake: () => again() };
    const again = () => {
      sleeper.at += milliseconds;
      look();
    };
    this.#sleepers.add(sleeper);
    this.#lookers.add(sleeper);
    return () => {
      this.#sleepers.delete(sleeper);
      this.#lookers.delete(sleeper);
    };
  }

  /** The number of sleepers. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Moves the clock on and wakes the sleepers that are due, in order. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = until;
  }

  /** The same, as if the process had stood still: what looks every so often did not. */
  standStill(milliseconds: number): void {
    for (const looker of this.#lookers) looker.at += milliseconds;
    this.advance(milliseconds);
  }

  /**
   * Runs `work`, moving on by `step` whenever it has had `turns` turns of the event loop to get on by itself, since
   * nothing outside was busy.
   */
  async during<Result>(
    work: Promise<Result>,
    { step = 250, turns = 20, isBusy = (): boolean => false } = {},
  ): Promise<Result> {
    let pending = true;
    const done = work.finally(() => {
      pending = false;
    });
    done.catch(() => {});
    while (pending) {
      for (let turn = 0; pending && turn < turns; turn += 1) {
        await new Promise(setImmediate);
        if (isBusy()) turn = 0;
      }
      if (pending) this.advance(step);
    }
    return done;
  }
}
