import { type Collection, collectionOf } from '../../json/index.ts';
import { apiVersionOf, type CustomKind, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import type { ObjectState, Watches } from '../../store/index.ts';
import { GoneError, type Store } from '../../store/index.ts';
import { customSchema } from '../objects/index.ts';
import { ApiError } from '../status/index.ts';
import type { Show } from './seen.ts';
import { shownStore, shownWatches } from './shown-store.ts';
import { StaleTypeError } from './stale-type-error.ts';

export interface CustomViewOptions {
  readonly type: ResourceType;
  readonly custom: CustomKind;
  readonly store: Store;
  readonly watches: Watches;
  readonly clock: Clock;
  /** Returns the current type, as it was at most `age` ms ago; undefined if it no longer exists. */
  present(age: number): Promise<ResourceType | undefined>;
}

/**
 * Returns the store and its watches as seen through one version of a custom kind. Objects that were stored in any
 * version get this version's apiVersion and the shape of its schema. Writes are stored in the storage version of the
 * definition. Other collections are unchanged. If the definition names a conversion webhook, a request for objects that
 * are stored in another version fails.
 *
 * Before each write is decided, a check at most one second old must show that the kind has not changed since the
 * request was read. So no write commits later than one second and a grace after a change of the kind.
 */
export async function customView(
  options: CustomViewOptions,
): Promise<Pick<CustomViewOptions, 'store' | 'watches'>> {
  const { type, custom, clock, present } = options;
  const show = await customShow(type, custom);
  const store = shownStore(options.store, {
    collection: collectionOf(type.group, type.resource),
    show,
    keep: (body) => {
      if (custom.convertsByWebhook === true && apiVersionOf(type) !== custom.storedAs) {
        throw notConverted(type, apiVersionOf(type), custom);
      }
      return { ...body, apiVersion: custom.storedAs };
    },
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
    // A kind that is being deleted may have been created again a moment ago.
    const now = recent?.custom?.isTerminating ? await present(0) : recent;
    return !isSameKind(now?.custom, custom);
  };
  return { store, watches: shownWatches(options.watches, { show, ending: { isOver, clock } }) };
}

/** The conversion of stored states to a version of a custom kind. */
export async function customShow(type: ResourceType, custom: CustomKind): Promise<Show> {
  const apiVersion = apiVersionOf(type);
  const isStored = apiVersion === custom.storedAs || custom.convertsByWebhook === true;
  const stored = isStored ? undefined : custom.schemas.get(custom.storedAs);
  const schemas = [...(stored === undefined ? [] : [stored]), custom.schema];
  const compiled = await Promise.all(schemas.map((schema) => customSchema({ schema })));
  return (state) => {
    if (needsWebhook(type, custom, state)) throw notConverted(type, String(state.body.apiVersion), custom);
    const body = compiled.reduce((value, schema) => schema.shape(value).value, state.body);
    return { ...state, body: { ...body, apiVersion } };
  };
}

/** Whether a webhook would have to convert a stored state to this version. */
export function needsWebhook(
  type: ResourceType,
  { convertsByWebhook = false }: CustomKind,
  { body }: Pick<ObjectState, 'body'>,
): boolean {
  return convertsByWebhook && body.apiVersion !== apiVersionOf(type);
}

/** The error of a request that needs a webhook, as in a cluster whose webhook does not answer. */
function notConverted({ kind }: ResourceType, from: string, { storedAs }: CustomKind): ApiError {
  const why = `Winnow calls no conversion webhooks; use the storage version ${storedAs}`;
  return new ApiError(500, '', `conversion webhook for ${from}, Kind=${kind} failed: ${why}`);
}

/**
 * Whether the kind is still the same. A watch continues while the kind is being deleted, but ends if the definition
 * changes.
 */
function isSameKind(now: CustomKind | undefined, then: CustomKind): boolean {
  return now?.uid === then.uid && now.generation === then.generation;
}

/** Refuses states of an earlier kind with the same name, whose journal may still exist. @throws GoneError */
async function refuseGone(store: Store, collection: Collection, at: number): Promise<void> {
  const { compacted } = await store.watermarks(collection);
  if (at < compacted) throw new GoneError(`resourceVersion ${at} of ${collection} is compacted`);
}

function refuseTerminating({ group, resource, custom }: ResourceType): void {
  if (custom?.isTerminating !== true) return;
  const why = 'create not allowed while custom resource definition is terminating';
  throw new ApiError(405, 'MethodNotAllowed', why, { group, kind: resource });
}
