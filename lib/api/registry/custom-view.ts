import { TIMING } from '../../platform/index.ts';
import {
  type Collection,
  collectionOf,
  GoneError,
  type Mutation,
  type ObjectState,
  type Store,
} from '../../store/index.ts';
import type { Watches } from '../../watch/index.ts';
import { customSchema } from '../objects/index.ts';
import { apiVersionOf, type CustomKind, type ResourceType } from '../resource-types/index.ts';
import { ApiError } from '../status/index.ts';
import { StaleTypeError } from './stale-type-error.ts';
import { storeWith } from './store-with.ts';

export interface CustomViewOptions {
  readonly type: ResourceType;
  readonly custom: CustomKind;
  readonly store: Store;
  readonly watches: Watches;
  /** Whether the type is still what it is; a look at most this old, in ms, will do. */
  isCurrent(age: number): Promise<boolean>;
}

/**
 * The store and its watches as seen through one version of a custom kind: what was stored, in whatever version, has
 * this version's apiVersion and the shape of its schema, and what is written is stored in the version that the
 * definition stores. Other collections are as they are.
 *
 * A write is decided while the kind is what the request took it for, a second before at most. So nothing is committed
 * later than that and a grace after the kind has changed.
 */
export async function customView(
  options: CustomViewOptions,
): Promise<Pick<CustomViewOptions, 'store' | 'watches'>> {
  const { type, custom } = options;
  const apiVersion = apiVersionOf(type);
  const stored = apiVersion === custom.storedAs ? undefined : custom.schemas.get(custom.storedAs);
  const schemas = [...(stored === undefined ? [] : [stored]), custom.schema];
  const compiled = await Promise.all(schemas.map((schema) => customSchema({ schema })));
  const show = (state: ObjectState): ObjectState => {
    const body = compiled.reduce((value, schema) => schema.shape(value).value, state.body);
    return { ...state, body: { ...body, apiVersion } };
  };
  return {
    store: storeWith(options.store, (store) => shownStore(options, store, show)),
    watches: watchesOf(options, show),
  };
}

type Show = (state: ObjectState) => ObjectState;

function shownStore(options: CustomViewOptions, store: Store, show: Show): Partial<Store> {
  const { type, custom, isCurrent } = options;
  const own = collectionOf(type.group, type.resource);
  const shown = (state: ObjectState | undefined) => state && show(state);
  const stored = (mutation: Mutation): Mutation =>
    mutation.kind === 'none'
      ? mutation
      : { ...mutation, body: { ...mutation.body, apiVersion: custom.storedAs } };
  return {
    get: async (collection, name) => {
      const state = await store.get(collection, name);
      return collection === own ? shown(state) : state;
    },
    list: async (collection, request) => {
      if (collection !== own) return store.list(collection, request);
      if (request.at !== undefined) await refuseGone(store, own, request.at);
      const page = await store.list(collection, seenBy(request, show));
      return { ...page, items: page.items.map(show) };
    },
    write: async (collection, name, change, given) => {
      if (collection !== own) return store.write(collection, name, change, given);
      const decide = async (current: ObjectState | undefined) => {
        const isSame = await isCurrent(TIMING.definitionLook);
        if (!isSame) throw new StaleTypeError(`${type.resource} are being defined anew`);
        if (current === undefined) refuseTerminating(type);
        return stored(await change(shown(current)));
      };
      const { before, after, ...outcome } = await store.write(collection, name, decide, given);
      return {
        ...outcome,
        ...(before !== undefined && { before: show(before) }),
        ...(after !== undefined && { after: show(after) }),
      };
    },
  };
}

/** What a kind of the same name was that is gone by now: its journal may still be there. @throws GoneError */
async function refuseGone(store: Store, collection: Collection, at: number): Promise<void> {
  const { compacted } = await store.watermarks(collection);
  if (at < compacted) throw new GoneError(`resourceVersion ${at} of ${collection} is compacted`);
}

function refuseTerminating({ group, resource, custom }: ResourceType): void {
  if (custom?.isTerminating !== true) return;
  const why = 'create not allowed while custom resource definition is terminating';
  throw new ApiError(405, 'MethodNotAllowed', why, { group, kind: resource });
}

/** A watch ends when the kind is not what it was: what comes then is told in another way, or of another kind. */
function watchesOf({ custom, watches, isCurrent }: CustomViewOptions, show: Show): Watches {
  return {
    open: async (collection, request) => {
      const events = await watches.open(collection, seenBy(request, show));
      return (async function* () {
        for await (const event of events) {
          // A kind that is going may be there anew in a moment.
          if (!(await isCurrent(custom.isTerminating ? 0 : TIMING.definitionLook))) return;
          yield 'object' in event ? { ...event, object: show(event.object) } : event;
        }
      })();
    },
  };
}

interface Matching {
  readonly matches?: (object: ObjectState) => boolean;
}

/** What is asked of objects is asked of them as they are shown. */
function seenBy<Request extends Matching>(request: Request, show: Show): Request {
  const { matches } = request;
  return matches === undefined ? request : { ...request, matches: (state) => matches(show(state)) };
}
