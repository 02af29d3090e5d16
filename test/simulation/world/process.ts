import type { Logger } from '../../../lib/platform/index.ts';
import type { Surroundings } from './surroundings.ts';

/** How a piece of work in a process ended. `died`: its result is lost for ever. */
export type Ended<Result> =
  | { readonly how: 'done'; readonly result: Result }
  | { readonly how: 'failed'; readonly error: unknown }
  | { readonly how: 'died' };

export type Answer<Result> = (read: () => Result) => void;

/** The name of a sleep, which sends no request. */
export const SLEEP = 'a sleep';

const DIED = { how: 'died' } as const;

/**
 * A process in which code under test runs. The code reaches the world through {@link ask} alone. At every such call
 * the process may die or stand still for a while. After a death the awaited answer never comes, and nothing that the
 * process did is undone.
 */
export class Process {
  readonly name: string;
  /** How far its clock is off, in ms. */
  readonly skew: number;
  readonly logger: Logger;
  readonly #world: Surroundings;
  readonly #death = Promise.withResolvers<typeof DIED>();
  #isDead = false;
  /** Callbacks that arrived while it stood still; undefined while it runs. */
  #missed: (() => void)[] | undefined;

  constructor(world: Surroundings, name: string) {
    this.#world = world;
    this.name = name;
    this.skew = Math.round(world.chance.within([-world.faults.skew, world.faults.skew]));
    const note = (message: string, data?: Record<string, unknown>) =>
      world.trace?.(`${name} says: ${message} ${describe(data)}`);
    this.logger = { debug: () => {}, info: note, warn: note, error: note };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  kill(why: string): void {
    if (this.#isDead) return;
    this.#world.trace?.(`${this.name} dies: ${why}`);
    this.#isDead = true;
    this.#missed = undefined;
    this.#death.resolve(DIED);
  }

  /** Stands still until {@link thaw}. */
  freeze(): void {
    this.#missed ??= [];
  }

  /**
   * Resumes, and runs the callbacks that arrived meanwhile in any order: answers and timers are different phases of an
   * event loop.
   */
  thaw(): void {
    const missed = this.#missed ?? [];
    this.#missed = undefined;
    for (const run of this.#world.chance.shuffled(missed)) this.wakeAfter(0, run);
  }

  /** Runs a callback in this process after a time: never once it is dead, and later if it stands still. */
  wakeAfter(milliseconds: number, run: () => void): void {
    this.#world.scheduler.wakeAfter(milliseconds, () => this.#deliver(run));
  }

  /** Runs a callback repeatedly, but not while the process stands still. Returns a function that ends it. */
  every(milliseconds: number, run: () => void): () => void {
    let isOver = false;
    const again = () => {
      if (isOver || this.#isDead) return;
      if (this.#missed === undefined) run();
      this.#world.scheduler.wakeAfter(milliseconds, again);
    };
    this.#world.scheduler.wakeAfter(milliseconds, again);
    return () => {
      isOver = true;
    };
  }

  #deliver(run: () => void): void {
    if (this.#isDead) return;
    if (this.#missed === undefined) {
      run();
    } else {
      this.#missed.push(run);
    }
  }

  /**
   * Sends one request to the world. `send` sends it, and answers when it has an answer. If reading the answer throws,
   * the request rejects with that error.
   */
  ask<Result>(what: string, send: (answer: Answer<Result>) => void): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#isDead || this.#diesAt('before', what)) return promise;
    if (what !== SLEEP) this.#world.trace?.(`${this.name}: ${what}`);
    send((read) =>
      this.#deliver(() => {
        if (this.#diesAt('after', what)) return;
        this.#mayStandStill(what, () => {
          try {
            resolve(read());
          } catch (error) {
            reject(error);
          }
        });
      }),
    );
    return promise;
  }

  #diesAt(when: string, what: string): boolean {
    const { chance, faults } = this.#world;
    if (what.startsWith(faults.crashAt ?? '') && chance.chance(faults.crash)) this.kill(`${when} ${what}`);
    return this.#isDead;
  }

  #mayStandStill(what: string, goOn: () => void): void {
    const { chance, faults, scheduler } = this.#world;
    if (!what.startsWith(faults.freezeAt ?? '') || !chance.chance(faults.freeze)) {
      goOn();
      return;
    }
    const duration = chance.within(faults.freezeFor);
    this.#world.trace?.(`${this.name} stands still for ${Math.round(duration)} ms after ${what}`);
    this.#missed = [goOn];
    scheduler.wakeAfter(duration, () => this.thaw());
  }

  /** Runs work in this process, which is killed if the work takes longer than `timeout` ms. */
  run<Result>(work: () => Promise<Result>, timeout: number): Promise<Ended<Result>> {
    let ended = false;
    const working = (async (): Promise<Ended<Result>> => {
      try {
        return { how: 'done', result: await work() };
      } catch (error) {
        return { how: 'failed', error };
      } finally {
        ended = true;
      }
    })();
    this.#world.scheduler.wakeAfter(timeout, () => {
      if (!ended) this.kill('its time is over');
    });
    return Promise.race([working, this.#death.promise]);
  }
}

function describe(data: Record<string, unknown> | undefined): string {
  if (data === undefined) return '';
  return Object.entries(data)
    .map(([key, value]) => `${key}=${value instanceof Error ? value.message : JSON.stringify(value)}`)
    .join(' ');
}
