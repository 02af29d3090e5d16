import { type Collection, collectionOf } from '../../json/index.ts';
import { apiVersionOf, type CustomKind, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import type { Watches } from '../../store/index.ts';
import { GoneError, type ObjectState, type Store } from '../../store/index.ts';
import { customSchema } from '../objects/index.ts';
import { ApiError } from '../status/index.ts';
import { shownStore, shownWatches } from './shown-store.ts';
import { StaleTypeError } from './stale-type-error.ts';

export interface CustomViewOptions {
  readonly type: ResourceType;
  readonly custom: CustomKind;
  readonly store: Store;
  readonly watches: Watches;
  readonly clock: Clock;
  /** What the type is now, undefined where it is gone; a look at most this old, in ms, will do. */
  present(age: number): Promise<ResourceType | undefined>;
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
  const { type, custom, clock, present } = options;
  const apiVersion = apiVersionOf(type);
  const stored = apiVersion === custom.storedAs ? undefined : custom.schemas.get(custom.storedAs);
  const schemas = [...(stored === undefined ? [] : [stored]), custom.schema];
  const compiled = await Promise.all(schemas.map((schema) => customSchema({ schema })));
  const show = (state: ObjectState): ObjectState => {
    const body = compiled.reduce((value, schema) => schema.shape(value).value, state.body);
    return { ...state, body: { ...body, apiVersion } };
  };
  const store = shownStore(options.store, {
    collection: collectionOf(type.group, type.resource),
    show,
    keep: (body) => ({ ...body, apiVersion: custom.storedAs }),
    beforeWrite: async (current) => {
      if ((await present(TIMING.definitionLook)) !== type) {
        throw new StaleTypeError(`the definition of ${type.resource} has changed`);
      }
      if (current === undefined) refuseTerminating(type);
    },
    beforeList: async (store, { at }) => {
      if (at !== undefined) await refuseGone(store, collectionOf(type.group, type.resource), at);
    },
  });
  const isOver = async () => {
    const recent = await present(TIMING.definitionLook);
    // One that is going may be there anew in a moment.
    const now = recent?.custom?.isTerminating ? await present(0) : recent;
    return !isSameKind(now?.custom, custom);
  };
  return { store, watches: shownWatches(options.watches, { show, ending: { isOver, clock } }) };
}

/** A watch tells of a kind to its end, also of one that is being deleted, unless it is defined otherwise meanwhile. */
function isSameKind(now: CustomKind | undefined, then: CustomKind): boolean {
  return now?.uid === then.uid && now.generation === then.generation;
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
