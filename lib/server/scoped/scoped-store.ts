import { type Collection, jsonSizeOf, TooLargeError } from '../../json/index.ts';
import type { Scope } from '../../kubernetes/rbac/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { mapBounded } from '../../platform/index.ts';
import {
  eachPage,
  type ListPage,
  type ListRequest,
  type ObjectState,
  type Store,
  type WriteOutcome,
} from '../../store/index.ts';
import type { VisibleScopes } from '../access/index.ts';
import { storeWith } from '../registry/index.ts';
import { forbidden } from '../status/index.ts';
import { EVENTS, type RowFilter } from './row-filter.ts';
import type { ScopeCheck } from './scope-check.ts';
import { selectorWithin } from './selector-within.ts';

export interface ScopedStoreOptions {
  readonly sight: VisibleScopes;
  readonly visibility: RowFilter;
  readonly guard: ScopeCheck;
  /** The resource type of the request. */
  readonly type: ResourceType;
}

/** Carriers that are read concurrently. */
const SIDE_BY_SIDE = 10;
/** Events in one page. The filter reads the objects that they are about. */
const EVENTS_AT_ONCE = 200;
const NO_BOUND = { rows: Number.POSITIVE_INFINITY, candidates: Number.POSITIVE_INFINITY };

/**
 * The store for callers with limited access. Objects outside the scope do not exist for them, and no write puts an
 * object there. All reads and writes of a verb pass through this store, so a verb cannot forget the check. The answers
 * leave out numbers that depend on hidden objects: plans, remaining counts, and whether hidden objects follow.
 */
export function scopedStore(given: Store, options: ScopedStoreOptions): Store {
  const { sight, visibility, guard, type } = options;
  return storeWith(given, (store) => {
    const among = (collection: Collection, states: readonly ObjectState[]) =>
      visibility.among(store, { collection, scope: sight.of(collection) }, states);
    const shown = async (collection: Collection, state: ObjectState | undefined) =>
      state && (await among(collection, [state]))[0];
    return {
      get: async (collection, name) => shown(collection, await store.get(collection, name)),
      list: async (collection, request) => {
        const scope = sight.of(collection);
        if (scope === undefined) return store.list(collection, request);
        if (request.explain === true) throw refused(type, scope, 'explain is');
        return collection === EVENTS
          ? listEvents(store, request, (states) => among(collection, states))
          : listWithin(store, collection, { request, scope });
      },
      visitLabels: (collection, request, visit) => {
        const scope = sight.of(collection);
        if (scope === undefined) return store.visitLabels(collection, request, visit);
        if (request.explain === true) throw refused(type, scope, 'explain is');
        if (collection === EVENTS) throw refused(type, scope, 'facets of Events are');
        const selector = selectorWithin(request.selector, scope);
        return store.visitLabels(collection, { ...request, selector, most: NO_BOUND }, visit);
      },
      write: async (collection, name, change, request): Promise<WriteOutcome> => {
        if (sight.of(collection) === undefined) return store.write(collection, name, change, request);
        let isHidden = false;
        const decide = async (current: ObjectState | undefined) => {
          const seen = await shown(collection, current);
          isHidden = current !== undefined && seen === undefined;
          const mutation = await change(seen);
          if (isHidden && mutation.kind !== 'none') guard.refuseTaken(name);
          if (mutation.kind === 'put') {
            await guard.refuse(store, { collection, name, current: seen, body: mutation.body });
          }
          return mutation;
        };
        const outcome = await store.write(collection, name, decide, request);
        return isHidden ? { kind: outcome.kind } : outcome;
      },
      snapshot: async (collections) => {
        const snapshots = await store.snapshot(collections);
        const seen = [...snapshots].map(async ([one, states]) => [one, await among(one, states)] as const);
        return new Map(await Promise.all(seen));
      },
      prefetch: async (request) => {
        const { objects, snapshots } = await store.prefetch(request);
        const seen = objects.map(async (known, index) => {
          const { collection } = request.objects[index] ?? {};
          const state = collection === undefined ? undefined : await shown(collection, known.state);
          return { ...known, state };
        });
        const others = [...snapshots].map(async ([one, states]) => [one, await among(one, states)] as const);
        return { objects: await Promise.all(seen), snapshots: new Map(await Promise.all(others)) };
      },
      selecting: async (sought, asked) => {
        const { found, tally } = await store.selecting(sought, { ...asked, most: Number.MAX_SAFE_INTEGER });
        const seen = await mapBounded(found, SIDE_BY_SIDE, async (one) => {
          const { collection, name } = one;
          if (sight.of(collection) === undefined) return one;
          return (await shown(collection, await store.get(collection, name))) && one;
        });
        const visible = seen.filter((one) => one !== undefined);
        if (visible.length > asked.most) {
          throw new TooLargeError('the answer', visible.length, { limit: asked.most, unit: 'selectors' });
        }
        return { found: visible, tally };
      },
      nextChanges: (collection, ...more) => {
        const scope = sight.of(collection);
        if (scope !== undefined) throw refused(type, scope, 'the change journal is', '; use a watch');
        return store.nextChanges(collection, ...more);
      },
      decidedChanges: (collection, ...more) => {
        const scope = sight.of(collection);
        if (scope !== undefined) throw refused(type, scope, 'the change journal is', '; use a watch');
        return store.decidedChanges(collection, ...more);
      },
      historyOf: (collection, request) => {
        const scope = sight.of(collection);
        if (scope !== undefined) throw refused(type, scope, 'history is');
        return store.historyOf(collection, request);
      },
      changesBack: (collection, request) => {
        const scope = sight.of(collection);
        if (scope !== undefined) throw refused(type, scope, 'history is');
        return store.changesBack(collection, request);
      },
    };
  });
}

/** @param what the message's subject and verb; @param instead the advice at the message's end, beginning with `; ` */
function refused(type: ResourceType, scope: Scope, what: string, instead = ''): Error {
  return forbidden(
    type,
    '',
    `${what} not available to users whose access is limited to objects that match ${scope}${instead}`,
  );
}

interface Within {
  readonly request: ListRequest;
  readonly scope: Scope;
}

/**
 * Lists within the scope. It reads one object more than the limit, because only a visible object may produce a continue
 * token.
 */
async function listWithin(
  store: Store,
  collection: Collection,
  { request, scope }: Within,
): Promise<ListPage> {
  const { limit } = request;
  const selector = selectorWithin(request.selector, scope);
  const more = limit === undefined ? {} : { limit: limit + 1 };
  const page = await store.list(collection, { ...request, selector, ...more });
  return pageOf(page.rv, page.items, { limit, next: page.next });
}

interface PageEnd extends Pick<ListRequest, 'limit'>, Pick<ListPage, 'next'> {}

function pageOf(rv: number, all: readonly ObjectState[], { limit, next: behind }: PageEnd): ListPage {
  const isFull = limit !== undefined && all.length > limit;
  const items = isFull ? all.slice(0, limit) : all;
  const next = isFull ? items.at(-1)?.name : behind;
  return { rv, items, ...(next !== undefined && { next }) };
}

/**
 * Lists Events. No index has the objects that Events are about, so this reads pages until enough Events are visible.
 */
async function listEvents(
  store: Store,
  request: ListRequest,
  among: (states: readonly ObjectState[]) => Promise<ObjectState[]>,
): Promise<ListPage> {
  const { limit, mostHeap = Number.POSITIVE_INFINITY } = request;
  const wanted = (limit ?? Number.POSITIVE_INFINITY) + 1;
  const items: ObjectState[] = [];
  let heap = 0;
  let rv = 0;
  for await (const page of eachPage(store, EVENTS, { ...request, limit: EVENTS_AT_ONCE })) {
    rv = page.rv;
    for (const state of await among(page.items)) {
      heap += jsonSizeOf(state.body).heap;
      if (items.length > 0 && heap > mostHeap) return pageOf(rv, items, { limit, next: items.at(-1)?.name });
      items.push(state);
    }
    if (items.length >= wanted) break;
  }
  return pageOf(rv, items.slice(0, wanted), { limit, next: undefined });
}
