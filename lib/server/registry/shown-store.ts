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

/** The conversion of one collection's objects when they are read and written. */
export interface Showing {
  readonly collection: Collection;
  show(state: ObjectState): ObjectState;
  /** Converts the body that a client sent to its stored form. */
  keep(body: JsonObject): JsonObject;
  /** Called before a change is decided. `current` is the stored state. */
  beforeWrite?(current: ObjectState | undefined): Promise<void>;
  beforeList?(store: Store, request: ListRequest): Promise<void>;
}

/** Wraps the store so that objects of one collection are shown in another form than they are stored. */
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

/** Decides when a watch ends on its own. */
export interface Ending {
  readonly clock: Clock;
  isOver(): Promise<boolean>;
}

export interface ShownWatchesOptions extends Pick<Showing, 'show'> {
  readonly ending?: Ending;
}

/** Wraps watches so that objects are shown in another form. A watch ends soon after `ending` decides that. */
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
      // If the kind cannot be read now, the watch ends, and the client continues from its last event.
      if (await isOver?.().catch(() => true)) return;
      yield 'object' in event ? { ...event, object: show(event.object) } : event;
    }
  } finally {
    over.abort();
  }
}

/** Ends a watch without events. A failed check is ignored, because the next one may succeed. */
async function endWhenOver({ clock, isOver }: Ending, over: AbortController, signal: AbortSignal) {
  while (!signal.aborted) {
    await clock.sleep(TIMING.watchedKind, signal);
    if (signal.aborted) return;
    if (await isOver().catch(() => false)) over.abort();
  }
}

/** Applies the filter of a request to the shown form of objects. */
function seenBy<Request extends Pick<ListRequest | WatchRequest, 'matches'>>(
  request: Request,
  show: Showing['show'],
): Request {
  const { matches } = request;
  return matches === undefined ? request : { ...request, matches: (state) => matches(show(state)) };
}
