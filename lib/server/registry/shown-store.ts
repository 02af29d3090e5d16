import type { Collection, JsonObject } from '../../json/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import type {
  ListRequest,
  Mutation,
  ObjectState,
  Store,
  WatchEvent,
  Watches,
  WatchRequest,
} from '../../store/index.ts';
import { storeWith } from './store-with.ts';

/** How objects of one collection are told, and what is told is kept. */
export interface Showing {
  readonly collection: Collection;
  show(state: ObjectState): ObjectState;
  /** What is kept of an object that was told. */
  keep(body: JsonObject): JsonObject;
  /** Before a change is decided; `current` as it is kept. */
  beforeWrite?(current: ObjectState | undefined): Promise<void>;
  beforeList?(store: Store, request: ListRequest): Promise<void>;
}

/** A store that tells the objects of one collection in another way than it keeps them. */
export function shownStore(given: Store, showing: Showing): Store {
  const { collection: own, show, keep, beforeWrite, beforeList } = showing;
  const shown = (state: ObjectState | undefined) => state && show(state);
  const kept = (mutation: Mutation): Mutation =>
    mutation.kind === 'none' ? mutation : { ...mutation, body: keep(mutation.body) };
  return storeWith(given, (store) => ({
    get: async (collection, name) => {
      const state = await store.get(collection, name);
      return collection === own ? shown(state) : state;
    },
    list: async (collection, request) => {
      if (collection !== own) return store.list(collection, request);
      await beforeList?.(store, request);
      const page = await store.list(collection, seenBy(request, show));
      return { ...page, items: page.items.map(show) };
    },
    visitLabels: (collection, request, visit) =>
      store.visitLabels(collection, collection === own ? seenBy(request, show) : request, visit),
    write: async (collection, name, change, options) => {
      if (collection !== own) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        await beforeWrite?.(current);
        return kept(await change(shown(current)));
      };
      const { before, after, ...outcome } = await store.write(collection, name, decide, options);
      return {
        ...outcome,
        ...(before !== undefined && { before: show(before) }),
        ...(after !== undefined && { after: show(after) }),
      };
    },
  }));
}

/** When a watch ends by itself. */
export interface Ending {
  readonly clock: Clock;
  isOver(): Promise<boolean>;
}

export interface ShownWatchesOptions extends Pick<Showing, 'show'> {
  readonly ending?: Ending;
}

/** Watches of one collection whose objects are told in another way; they end soon after their ending says so. */
export function shownWatches(watches: Watches, { show, ending }: ShownWatchesOptions): Watches {
  return {
    open: async (collection, request) => {
      const over = new AbortController();
      const signal = AbortSignal.any([request.signal, over.signal]);
      const events = await watches.open(collection, { ...seenBy(request, show), signal });
      if (ending !== undefined) void endWhenOver(ending, over, signal);
      return shownEvents(events, { show, over, isOver: ending?.isOver });
    },
  };
}

interface Shown extends Pick<Showing, 'show'> {
  readonly over: AbortController;
  readonly isOver: Ending['isOver'] | undefined;
}

async function* shownEvents(events: AsyncIterable<WatchEvent>, { show, over, isOver }: Shown) {
  try {
    for await (const event of events) {
      // Where nobody can say what the kind is now the watch ends, and the client goes on from what it has.
      if (await isOver?.().catch(() => true)) return;
      yield 'object' in event ? { ...event, object: show(event.object) } : event;
    }
  } finally {
    over.abort();
  }
}

/** Ends a watch on which nothing happens. A look that fails says nothing: the next one may. */
async function endWhenOver({ clock, isOver }: Ending, over: AbortController, signal: AbortSignal) {
  while (!signal.aborted) {
    await clock.sleep(TIMING.watchedKind, signal);
    if (signal.aborted) return;
    if (await isOver().catch(() => false)) over.abort();
  }
}

/** What is asked of objects is asked of them as they are told. */
function seenBy<Request extends Pick<ListRequest | WatchRequest, 'matches'>>(
  request: Request,
  show: Showing['show'],
): Request {
  const { matches } = request;
  return matches === undefined ? request : { ...request, matches: (state) => matches(show(state)) };
}
