import type { Collection } from '../../json/index.ts';
import { type Clock, type Logger, MEMORY, type Random, TIMING } from '../../platform/index.ts';
import type { Committed, Store } from '../contract.ts';
import { eachPage } from '../each-page.ts';
import { GoneError } from '../errors.ts';
import { EntryPoll } from './entry-poll.ts';
import { type Filter, type ObjectEvent, transition } from './transition.ts';

export interface WatchRequest extends Filter {
  /** Watch changes after this resourceVersion. Undefined: first the present objects as ADDED, then new changes. */
  readonly from?: number;
  /** Whether a bookmark marks the end of the present objects, if bookmarks were requested. */
  readonly marksInitial?: boolean;
  /** Whether the client asked for bookmarks. */
  readonly bookmarks: boolean;
  /** The duration of the watch, in ms. It then ends cleanly. */
  readonly timeout: number;
  /** Aborts when the client disconnects, or when the function's time is up. */
  readonly signal: AbortSignal;
}

/**
 * An event of a watch. A heartbeat has no content: it keeps the connection alive. GONE is the last event of a watch.
 */
export type WatchEvent =
  | ObjectEvent
  | { readonly type: 'BOOKMARK'; readonly rv: number; readonly endsInitial?: boolean }
  | { readonly type: 'HEARTBEAT' }
  | { readonly type: 'GONE'; readonly message: string };

export interface Watches {
  /**
   * Starts a watch. If it rejects, no byte was sent yet.
   *
   * If `from` is above the head, the watch waits for it, as in Kubernetes.
   *
   * @throws {GoneError} `from` is compacted.
   */
  open(collection: Collection, request: WatchRequest): Promise<AsyncIterable<WatchEvent>>;
}

export interface WatchesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Registers a listener to the writes of this process ({@link StoreOptions.committed}). Absent if only other processes
   * write.
   */
  readonly onCommitted?: ((listener: Committed) => void) | undefined;
}

/** The number of objects in one page of the synthetic ADDED events. */
const PAGE = 100;

export function createWatches(options: WatchesOptions): Watches {
  const polls = new Map<Collection, EntryPoll>();
  options.onCommitted?.((collection, journal) => polls.get(collection)?.wake(journal));
  return {
    async open(collection, request) {
      if (request.signal.aborted) return nothing();
      const store = options.store.within(request.signal);
      const head = await store.head(collection);
      if (request.from !== undefined) await refuseCompacted(store, collection, request.from);
      const poll = polls.get(collection) ?? new EntryPoll(options, collection);
      polls.set(collection, poll);
      // If the client missed changes while it was disconnected, the collection is active.
      poll.sawHead(head, request.from);
      return watch({ ...options, store }, { collection, request, poll, head });
    },
  };
}

/** The watch of a client that disconnected before it began. */
async function* nothing(): AsyncGenerator<never> {}

async function refuseCompacted(store: Store, collection: Collection, from: number): Promise<void> {
  const { compacted } = await store.watermarks(collection);
  if (from < compacted) throw new GoneError(`too old resource version: ${from} (${compacted})`);
}

interface Watching {
  readonly collection: Collection;
  readonly request: WatchRequest;
  readonly poll: EntryPoll;
  /** The head when the watch was opened. */
  readonly head: number;
}

/** The progress of a watch. */
interface Progress {
  /** Events up to this resourceVersion were sent; 0 before all present objects were. */
  position: number;
}

async function* watch(options: WatchesOptions, watching: Watching): AsyncGenerator<WatchEvent> {
  const { collection, request } = watching;
  const left = Promise.withResolvers<void>();
  const leave = () => left.resolve();
  request.signal.addEventListener('abort', leave, { once: true });
  const progress: Progress = { position: request.from ?? 0 };
  try {
    yield* tell(options, { ...watching, progress, left: left.promise });
  } catch (error) {
    // Any other error ends the watch cleanly: clients can resume after that, but not after a broken stream.
    if (error instanceof GoneError) return yield { type: 'GONE', message: error.message };
    if (!request.signal.aborted) options.logger.error('a watch failed', { collection, error });
  } finally {
    request.signal.removeEventListener('abort', leave);
  }
  // The bookmark lets the client resume here, even if none of the changes up to here matched its selection.
  const { position } = progress;
  if (request.bookmarks && position > 0 && !request.signal.aborted) yield { type: 'BOOKMARK', rv: position };
}

interface Telling extends Watching {
  readonly progress: Progress;
  /** Resolves when the client disconnects. */
  readonly left: Promise<void>;
}

/** All events of a watch, each as soon as its change is decided, until its time is up or its client disconnects. */
async function* tell(options: WatchesOptions, telling: Telling): AsyncGenerator<WatchEvent> {
  const { clock, store } = options;
  const { collection, request, progress } = telling;
  const ends = clock.now() + request.timeout;
  let told = clock.now();
  let marked = clock.now();
  if (request.from === undefined) {
    progress.position = yield* presentObjects(store, telling);
    if (request.marksInitial === true && request.bookmarks) {
      yield { type: 'BOOKMARK', rv: progress.position, endsInitial: true };
    }
  }
  let head = request.from === undefined ? progress.position : telling.head;
  while (!request.signal.aborted && clock.now() < ends) {
    if (head <= progress.position) head = await telling.poll.above(head, telling.left);
    if (head > progress.position) {
      const { changes, upTo } = await store.nextChanges(collection, progress.position, head);
      for (const change of changes) {
        const event = transition(change, request);
        if (event === undefined) continue;
        told = clock.now();
        yield event;
      }
      progress.position = upTo;
    }
    if (request.bookmarks && clock.now() - marked >= TIMING.watchBookmark) {
      marked = told = clock.now();
      yield { type: 'BOOKMARK', rv: progress.position };
    } else if (clock.now() - told >= TIMING.watchHeartbeat) {
      told = clock.now();
      yield { type: 'HEARTBEAT' };
    }
  }
}

/** The present objects as ADDED events, page by page, all at one resourceVersion, which it returns. */
async function* presentObjects(
  store: Store,
  { collection, request }: Watching,
): AsyncGenerator<ObjectEvent, number> {
  const { namespace, name, selector, matches } = request;
  const asked = { namespace, name, selector, matches, limit: PAGE, mostHeap: MEMORY.page };
  let at = 0;
  for await (const { rv, items } of eachPage(store, collection, asked)) {
    at = rv;
    for (const object of items) yield { type: 'ADDED', object };
  }
  return at;
}
