import { pause } from '../pause.ts';
import { Announcer, type LiveEvents } from './announcer.ts';
import { ExpiredError, SilenceError, WinnowError } from './errors.ts';
import { HeldObjects } from './held-objects.ts';
import type { LiveReader, LiveState, Matcher } from './live-reader.ts';
import { LiveView } from './live-view.ts';
import type { ObjectList } from './object-list.ts';
import type { HoldOptions } from './options.ts';
import type { Column } from './shape.ts';
import type { LiveObject, Stored } from './stored-object.ts';
import type { WatchEvent } from './watch.ts';

/** The requests about a selected set that a live set makes. */
export interface Source<Body> {
  /** The namespace of the objects; absent for all. */
  readonly namespace?: string | undefined;
  list(signal: AbortSignal): ObjectList<Body>;
  /** Resolves to the first object of the set at a resourceVersion; undefined if the set is empty there. */
  firstAt(resourceVersion: string, options: { readonly signal: AbortSignal }): Promise<Stored | undefined>;
  /** Yields events; those that arrive together are one group. */
  watch(options: {
    readonly signal: AbortSignal;
    readonly resourceVersion: string;
    readonly timeoutSeconds: number;
    readonly silence: number;
    /** Called when the answer begins. */
    readonly opened: () => void;
    /** Called for each piece of the answer. */
    readonly heard: () => void;
  }): AsyncGenerator<readonly WatchEvent<Body>[]>;
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
/** After these answers, later requests would fail as well: bad request, unauthorized, forbidden. */
const FINAL = new Set([400, 401, 403]);

/** A set of objects that follows the server: it lists the selected objects and watches them from there on. */
export class LiveSet<Body> implements LiveReader<Body> {
  readonly ready: Promise<void>;
  readonly #source: Source<Body>;
  readonly #timing: LiveTiming;
  readonly #most: number;
  readonly #isEarly: boolean;
  readonly #announcer: Announcer<Body>;
  readonly #held: HeldObjects<Body>;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #state: LiveState = 'starting';
  #resourceVersion: string | undefined;
  #columns: readonly Column[] = [];
  #isReady: () => void = () => {};
  #isNeverReady: (error: unknown) => void = () => {};

  constructor(source: Source<Body>, options: HoldOptions = {}, timing = LIVE_TIMING) {
    const { most = MOST, early = false, schedule = (run) => queueMicrotask(run), signal } = options;
    this.#source = source;
    this.#timing = timing;
    this.#most = most;
    this.#isEarly = early;
    this.#announcer = new Announcer(schedule);
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

  get complete(): boolean {
    return this.#resourceVersion !== undefined && this.#held.isComplete;
  }

  /** The number of objects in the set, also of those that are not held. */
  get count(): number {
    return this.#held.count;
  }

  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  readonly snapshot = (): readonly LiveObject<Body>[] => this.#held.snapshot();

  get(name: string, namespace = this.#source.namespace ?? ''): LiveObject<Body> | undefined {
    return this.#held.get(name, namespace);
  }

  on<Name extends keyof LiveEvents<Body>>(name: Name, listener: LiveEvents<Body>[Name]): () => void {
    return this.#announcer.on(name, listener);
  }

  readonly subscribe = (observer: () => unknown): (() => void) => this.#announcer.subscribe(observer);

  where(selector: Matcher): LiveReader<Body> {
    return new LiveView(this, selector);
  }

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
        if (version !== undefined && !(await this.#isStill(version, signal))) version = undefined;
        version ??= await this.#list(signal);
        const timeoutSeconds = this.#secondsOf(watches++, silent);
        const watching = { signal, silence, resourceVersion: version, timeoutSeconds };
        const opened = () => {
          isOpened = true;
          this.#enter('live');
        };
        for await (const events of this.#source.watch({ ...watching, opened, heard })) {
          if (signal.aborted) break;
          version = this.#take(events);
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
        this.#announcer.tellError(error);
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

  /**
   * Whether the server still has the history that the set follows. A server that began anew, as `winnow start` does with
   * a new folder, counts its resourceVersions from the beginning. It has not reached this version yet, or has another
   * first object there.
   *
   * @throws {ExpiredError} the version is older than the journal
   */
  async #isStill(version: string, signal: AbortSignal): Promise<boolean> {
    let first: Stored | undefined;
    try {
      first = await this.#source.firstAt(version, { signal });
    } catch (error) {
      const { causes = [] } = error instanceof WinnowError ? error : {};
      if (causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')) return false;
      throw error;
    }
    if (first === undefined) return this.#held.count === 0;
    const { name, namespace = '', uid, resourceVersion } = first.metadata;
    const held = this.#held.get(name, namespace)?.metadata;
    if (held === undefined) return !this.#held.isComplete;
    return held.uid === uid && held.resourceVersion === resourceVersion;
  }

  /** Lists the set, and reports the difference. Returns the resourceVersion of the list. */
  async #list(signal: AbortSignal): Promise<string> {
    // All pages show the same state. So the first pages of the first list are a part of the set that is right.
    const isShown = this.#isEarly && this.#resourceVersion === undefined && this.#held.count === 0;
    const listed = isShown ? this.#held : new HeldObjects<Body>(this.#most);
    let version = '';
    for await (const { items, resourceVersion, columns } of this.#source.list(signal).pages()) {
      const changes = items.flatMap((item) => listed.put(held(item), true));
      version = resourceVersion;
      this.#columns = columns;
      if (isShown) this.#announcer.tell(changes);
    }
    this.#resourceVersion = version;
    const changes = isShown ? [] : this.#held.replaceBy(listed);
    this.#announcer.tell([...changes, { kind: 'synced' }]);
    this.#enter('live');
    this.#isReady();
    return version;
  }

  /** Takes events of the watch that arrived together. Returns the resourceVersion after them. */
  #take(events: readonly WatchEvent<Body>[]): string {
    let version = '';
    const news = events.flatMap((event) => {
      if (event.type === 'BOOKMARK') {
        version = event.resourceVersion;
        return [];
      }
      const object = held(event.object);
      version = object.metadata.resourceVersion;
      if (event.type === 'DELETED') return this.#held.remove(object);
      return this.#held.put(object, event.type === 'ADDED');
    });
    this.#resourceVersion = version;
    this.#announcer.tell(news);
    return version;
  }

  #enter(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#announcer.tell([{ kind: 'state' }]);
  }

  #end(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#announcer.tellError(error);
    this.#state = 'stopped';
    // Listeners get the remaining news now, and none after the end.
    this.#announcer.deliver({ kind: 'state' });
    this.#isNeverReady(error);
  }
}

/** The compiler cannot see that a read-only view of an object of any type has the object's fields. */
function held<Body>(object: Stored<Body>): LiveObject<Body> {
  return object as unknown as LiveObject<Body>;
}
