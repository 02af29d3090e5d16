import { pause } from '../pause.ts';
import { ExpiredError, messageOf, SilenceError, type WinnowError } from './errors.ts';
import { type HeldChange, HeldObjects } from './held-objects.ts';
import type { ObjectList } from './object-list.ts';
import type { Stored } from './stored-object.ts';
import type { WatchEvent } from './watch.ts';

export interface LiveEvents<Body> {
  /** An object entered the set. */
  add: (object: Stored<Body>) => unknown;
  /** An object in the set changed. */
  update: (object: Stored<Body>, before: Stored<Body>) => unknown;
  /** An object left the set. The argument is its last state in the set; `get` of the collection reads what it is now. */
  delete: (object: Stored<Body>) => unknown;
  /** The set equals the state of the server at one resourceVersion: after the first LIST, and after each later one. */
  synced: () => unknown;
  /** A request or a listener failed. The set goes on, unless its state is `stopped`. */
  error: (error: Error) => unknown;
}

/**
 * `starting`: the first LIST is not complete. `live`: changes arrive. `stale`: the connection is lost, and the set keeps
 * what it has. `stopped`: nothing more arrives.
 */
export type LiveState = 'starting' | 'live' | 'stale' | 'stopped';

export interface HoldOptions {
  /** The most objects to hold in memory; 10,000 by default. Of a larger set the first ones in order are held. */
  readonly most?: number | undefined;
  /**
   * Decides when listeners run: it calls its argument later. The default is `queueMicrotask`; a page passes
   * `requestAnimationFrame`.
   */
  readonly schedule?: ((run: () => void) => unknown) | undefined;
  /** Stops the set. */
  readonly signal?: AbortSignal | undefined;
}

/** The two questions about a selected set that a live set asks. */
export interface Source<Body> {
  /** The namespace of the objects; absent for all. */
  readonly namespace?: string | undefined;
  list(signal: AbortSignal): ObjectList<Body>;
  watch(options: {
    readonly signal: AbortSignal;
    readonly resourceVersion: string;
    readonly timeoutSeconds: number;
    readonly silence: number;
    /** Called when the answer begins. */
    readonly opened: () => void;
    /** Called for each piece of the answer. */
    readonly heard: () => void;
  }): AsyncGenerator<WatchEvent<Body>>;
}

/** The times of a live set; in ms, unless the name says seconds. */
export interface LiveTiming {
  /** The time after which the server ends the first watch. A server in Lambda runs until then, even if its client left. */
  readonly firstWatchSeconds: number;
  readonly watchSeconds: number;
  /** The time after which the server ends a watch if a proxy buffers the answers. */
  readonly pollSeconds: number;
  readonly silence: number;
  readonly firstPause: number;
  readonly longestPause: number;
}

export const LIVE_TIMING: LiveTiming = {
  firstWatchSeconds: 30,
  watchSeconds: 240,
  pollSeconds: 10,
  silence: 90_000,
  firstPause: 500,
  longestPause: 30_000,
};

const MOST = 10_000;
/** After so many watches in a row that brought nothing before they broke, answers count as buffered on the way. */
const SILENT_WATCHES = 2;
/** After so many short watches, one long watch is tried again: answers may not be buffered any more. */
const POLLS = 60;
/** With so much news, listeners run at once. A page that is not visible may never run what it schedules. */
const MOST_NEWS = 10_000;
/** After these answers, later requests would fail as well: bad request, unauthorized, forbidden. */
const FINAL = new Set([400, 401, 403]);

type News<Body> = HeldChange<Body> | { readonly kind: 'synced' | 'state' };

/** A set of objects that follows the server: it lists the selected objects and watches them from there on. */
export class LiveSet<Body> {
  /** Resolves when the set is complete for the first time. Rejects if the set stops before. */
  readonly ready: Promise<void>;
  readonly #source: Source<Body>;
  readonly #timing: LiveTiming;
  readonly #most: number;
  readonly #schedule: (run: () => void) => unknown;
  readonly #held: HeldObjects<Body>;
  readonly #listeners: { readonly [Name in keyof LiveEvents<Body>]: Set<LiveEvents<Body>[Name]> } = {
    add: new Set(),
    update: new Set(),
    delete: new Set(),
    synced: new Set(),
    error: new Set(),
  };
  readonly #observers = new Set<() => unknown>();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  /** The news that listeners get at the next scheduled time. */
  #news: News<Body>[] = [];
  #isScheduled = false;
  #state: LiveState = 'starting';
  #resourceVersion: string | undefined;
  #isReady: () => void = () => {};
  #isNeverReady: (error: unknown) => void = () => {};

  constructor(source: Source<Body>, options: HoldOptions = {}, timing = LIVE_TIMING) {
    const { most = MOST, schedule = (run) => queueMicrotask(run), signal } = options;
    this.#source = source;
    this.#timing = timing;
    this.#most = most;
    this.#schedule = schedule;
    this.#held = new HeldObjects(most);
    this.ready = new Promise((resolve, reject) => {
      this.#isReady = resolve;
      this.#isNeverReady = reject;
    });
    // A program may ignore the promise: the error listeners get the same error.
    this.ready.catch(() => {});
    const stop = () => this.#ending.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    this.#running = this.#follow()
      .catch((error: unknown) => this.#end(error))
      .finally(() => signal?.removeEventListener('abort', stop));
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Whether all objects of the set are held. False before the first LIST is complete. */
  get complete(): boolean {
    return this.#resourceVersion !== undefined && this.#held.isComplete;
  }

  /** The number of objects in the set, also of those that are not held. */
  get count(): number {
    return this.#held.count;
  }

  /** The state of the server that the set shows; undefined before the first LIST is complete. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  /** Returns the held objects, sorted by namespace and name: the same frozen array until something changes. */
  readonly snapshot = (): readonly Stored<Body>[] => this.#held.snapshot();

  /** Returns a held object: in the namespace of the collection, unless another one is named. */
  get(name: string, namespace = this.#source.namespace ?? ''): Stored<Body> | undefined {
    return this.#held.get(name, namespace);
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof LiveEvents<Body>>(name: Name, listener: LiveEvents<Body>[Name]): () => void {
    this.#listeners[name].add(listener);
    return () => this.#listeners[name].delete(listener);
  }

  /**
   * Adds a function that is called once after each group of changes, and when the state changes. Returns a function that
   * removes it. With {@link snapshot}, this is the interface that views such as React's `useSyncExternalStore` take.
   */
  readonly subscribe = (observer: () => unknown): (() => void) => {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  };

  /** Ends the watch, and resolves when it has ended. The set keeps its objects. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const { silence, firstPause, longestPause } = this.#timing;
    let version: string | undefined;
    let silent = 0;
    let polls = 0;
    for (let watches = 0, failures = 0; !signal.aborted; ) {
      const began = performance.now();
      let isOpened = false;
      let isHeard = false;
      const heard = () => {
        isHeard = true;
      };
      try {
        version ??= await this.#list(signal);
        const timeoutSeconds = this.#secondsOf(watches++, silent);
        const watching = { signal, silence, resourceVersion: version, timeoutSeconds };
        const opened = () => {
          isOpened = true;
          this.#enter('live');
        };
        for await (const event of this.#source.watch({ ...watching, opened, heard })) {
          if (signal.aborted) break;
          version = this.#take(event);
          failures = 0;
          if (this.#held.isThin) break;
        }
        if (this.#held.isThin) version = undefined;
        if (silent >= SILENT_WATCHES && ++polls % POLLS === 0) silent = SILENT_WATCHES - 1;
        // A server under load ends watches at once.
        if (performance.now() - began < firstPause) await pause(firstPause, signal);
      } catch (error) {
        if (signal.aborted) break;
        if (FINAL.has((error as WinnowError | undefined)?.code ?? 0)) return this.#end(error);
        if (error instanceof ExpiredError) version = undefined;
        // A request that was never answered says nothing about buffers: the connection was lost.
        const isSilent = (error as Error | undefined)?.cause instanceof SilenceError && isOpened && !isHeard;
        if (silent < SILENT_WATCHES) silent = isSilent ? silent + 1 : 0;
        if (this.#state === 'live') this.#enter('stale');
        // After the first 410 the set lists at once.
        if (error instanceof ExpiredError && failures++ === 0) continue;
        this.#tellError(error);
        await pause(Math.random() * Math.min(firstPause * 2 ** failures++, longestPause), signal);
      }
    }
    this.#end(new Error('the live set was stopped before it was complete'));
  }

  #secondsOf(watches: number, silent: number): number {
    const { firstWatchSeconds, watchSeconds, pollSeconds } = this.#timing;
    if (silent >= SILENT_WATCHES) return pollSeconds;
    return watches === 0 ? firstWatchSeconds : watchSeconds;
  }

  /** Lists the set, and reports the difference. Returns the resourceVersion of the list. */
  async #list(signal: AbortSignal): Promise<string> {
    const fresh = new HeldObjects<Body>(this.#most);
    let version = '';
    for await (const { items, resourceVersion } of this.#source.list(signal).pages()) {
      for (const item of items) fresh.put(item, true);
      version = resourceVersion;
    }
    this.#resourceVersion = version;
    this.#tell([...this.#held.replaceBy(fresh), { kind: 'synced' }]);
    this.#enter('live');
    this.#isReady();
    return version;
  }

  /** Takes an event of the watch. Returns the resourceVersion after it. */
  #take(event: WatchEvent<Body>): string {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        this.#tell(this.#held.put(event.object, event.type === 'ADDED'));
        break;
      case 'DELETED':
        this.#tell(this.#held.remove(event.object));
        break;
      case 'BOOKMARK':
        this.#resourceVersion = event.resourceVersion;
        return event.resourceVersion;
      default:
        event satisfies never;
    }
    this.#resourceVersion = event.object.metadata.resourceVersion;
    return this.#resourceVersion;
  }

  #enter(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#tell([{ kind: 'state' }]);
  }

  #end(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#tellError(error);
    this.#state = 'stopped';
    this.#news.push({ kind: 'state' });
    // Listeners get the remaining news now, and none after the end.
    this.#deliver();
    this.#isNeverReady(error);
  }

  /** Keeps news for the listeners until the scheduled time. */
  #tell(news: readonly News<Body>[]): void {
    if (news.length === 0) return;
    for (const one of news) this.#news.push(one);
    if (this.#news.length >= MOST_NEWS) this.#deliver();
    if (this.#isScheduled || this.#news.length === 0) return;
    this.#isScheduled = true;
    // The functions of a page refuse to be called as methods of another object.
    const schedule = this.#schedule;
    const deliver = () => {
      this.#isScheduled = false;
      this.#deliver();
    };
    try {
      schedule(deliver);
    } catch (error) {
      this.#tellError(error);
      queueMicrotask(deliver);
    }
  }

  #deliver(): void {
    if (this.#news.length === 0) return;
    const news = this.#news;
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

  /** Calls each listener. A listener that throws or rejects does not keep the others from being called. */
  #call<Listener>(listeners: Set<Listener>, call: (listener: Listener) => unknown): void {
    for (const listener of [...listeners]) {
      void (async () => call(listener))().catch((error) => this.#tellError(error));
    }
  }

  #tellError(error: unknown): void {
    const told = error instanceof Error ? error : new Error(messageOf(error));
    const listeners = this.#listeners.error;
    if (listeners.size === 0) console.error(`live set: ${told.message}`);
    for (const listener of listeners) {
      void (async () => listener(told))().catch((failed) => console.error(`live set: ${messageOf(failed)}`));
    }
  }
}
