import { messageOf } from './errors.ts';
import type { HeldChange } from './held-objects.ts';
import type { LiveObject } from './stored-object.ts';

export interface LiveEvents<Body> {
  /** An object entered the set. */
  add: (object: LiveObject<Body>) => unknown;
  /** An object in the set changed. */
  update: (object: LiveObject<Body>, before: LiveObject<Body>) => unknown;
  /** An object left the set. The argument is its last state in the set; `get` of the collection reads what it is now. */
  delete: (object: LiveObject<Body>) => unknown;
  /** The set equals the state of the server at one resourceVersion: after the first LIST, and after each later one. */
  synced: () => unknown;
  /** A request or a listener failed. The set goes on, unless its state is `stopped`. */
  error: (error: Error) => unknown;
}

export type News<Body> = HeldChange<Body> | { readonly kind: 'synced' | 'state' };

/** With so much news, listeners run at once. A page that is not visible may never run what it schedules. */
const MOST_NEWS = 10_000;

/** The listeners of a live set. It keeps news for them until the scheduled time. */
export class Announcer<Body> {
  readonly #schedule: (run: () => void) => unknown;
  readonly #listeners: { readonly [Name in keyof LiveEvents<Body>]: Set<LiveEvents<Body>[Name]> } = {
    add: new Set(),
    update: new Set(),
    delete: new Set(),
    synced: new Set(),
    error: new Set(),
  };
  readonly #observers = new Set<() => unknown>();
  /** The news that listeners get at the next scheduled time. */
  #news: News<Body>[] = [];
  #isScheduled = false;

  constructor(schedule: (run: () => void) => unknown) {
    this.#schedule = schedule;
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof LiveEvents<Body>>(name: Name, listener: LiveEvents<Body>[Name]): () => void {
    this.#listeners[name].add(listener);
    return () => this.#listeners[name].delete(listener);
  }

  /** Adds a function that is called once after each group of news. Returns a function that removes it. */
  subscribe(observer: () => unknown): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Keeps news for the listeners until the scheduled time. */
  tell(news: readonly News<Body>[]): void {
    if (news.length === 0) return;
    for (const one of news) this.#news.push(one);
    if (this.#news.length >= MOST_NEWS) this.deliver();
    if (this.#isScheduled || this.#news.length === 0) return;
    this.#isScheduled = true;
    // The functions of a page refuse to be called as methods of another object.
    const schedule = this.#schedule;
    const deliver = () => {
      this.#isScheduled = false;
      this.deliver();
    };
    try {
      schedule(deliver);
    } catch (error) {
      this.tellError(error);
      queueMicrotask(deliver);
    }
  }

  /** Tells the listeners all news now, and the given news after it. */
  deliver(...last: News<Body>[]): void {
    const news = [...this.#news, ...last];
    if (news.length === 0) return;
    this.#news = [];
    const { add, update, delete: left, synced } = this.#listeners;
    for (const one of news) {
      switch (one.kind) {
        case 'add':
          this.#call(add, (listener) => listener(one.object));
          break;
        case 'update':
          this.#call(update, (listener) => listener(one.object, one.before));
          break;
        case 'delete':
          this.#call(left, (listener) => listener(one.object));
          break;
        case 'synced':
          this.#call(synced, (listener) => listener());
          break;
        case 'state':
          break;
        default:
          one satisfies never;
      }
    }
    this.#call(this.#observers, (observer) => observer());
  }

  tellError(error: unknown): void {
    const told = error instanceof Error ? error : new Error(messageOf(error));
    const listeners = this.#listeners.error;
    if (listeners.size === 0) console.error(`live set: ${told.message}`);
    for (const listener of listeners) {
      void (async () => listener(told))().catch((failed) => console.error(`live set: ${messageOf(failed)}`));
    }
  }

  /** Calls each listener. A listener that throws or rejects does not keep the others from being called. */
  #call<Listener>(listeners: Set<Listener>, call: (listener: Listener) => unknown): void {
    for (const listener of [...listeners]) {
      void (async () => call(listener))().catch((error) => this.tellError(error));
    }
  }
}
