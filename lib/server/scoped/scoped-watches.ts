import { type Clock, TIMING } from '../../platform/index.ts';
import type { Store, WatchEvent, Watches } from '../../store/index.ts';
import type { VisibleScopes } from '../access/index.ts';
import { EVENTS, type RowFilter } from './row-filter.ts';
import { selectorWithin } from './selector-within.ts';

export interface ScopedWatchesOptions {
  readonly sight: VisibleScopes;
  readonly visibility: RowFilter;
  /** The store without scopes. */
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
}

/** The longest time in ms for which hidden Events keep a watch silent. */
const SILENCE = TIMING.watchHeartbeat / 2;

/**
 * Watches that are limited to the scope. An object that enters the scope is ADDED, and one that leaves it is DELETED.
 * An Event is delivered if its object is within the scope at that moment.
 */
export function scopedWatches(
  watches: Watches,
  { sight, visibility, store, clock }: ScopedWatchesOptions,
): Watches {
  return {
    open: async (collection, request) => {
      const scope = sight.of(collection);
      if (scope === undefined) return watches.open(collection, request);
      if (collection !== EVENTS) {
        return watches.open(collection, { ...request, selector: selectorWithin(request.selector, scope) });
      }
      const lasting = store.within(request.signal);
      const isSeen = async (event: WatchEvent) =>
        !('object' in event) ||
        (await visibility.among(lasting, { collection, scope }, [event.object])).length > 0;
      return seenEvents(await watches.open(collection, request), { isSeen, clock });
    },
  };
}

interface Seeing extends Pick<ScopedWatchesOptions, 'clock'> {
  isSeen(event: WatchEvent): Promise<boolean>;
}

/**
 * Filters Events. While only hidden Events arrive, it sends heartbeats, so that the watch is authorized again and its
 * client sees that the watch is alive.
 */
async function* seenEvents(
  events: AsyncIterable<WatchEvent>,
  { isSeen, clock }: Seeing,
): AsyncGenerator<WatchEvent> {
  let told = clock.now();
  for await (const event of events) {
    const isTold = await isSeen(event);
    if (!isTold && clock.now() - told < SILENCE) continue;
    told = clock.now();
    yield isTold ? event : { type: 'HEARTBEAT' };
  }
}
