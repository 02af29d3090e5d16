import { type JsonValue, metadataOf, type Store } from '../store/index.ts';
import type { BoundObject } from './http/index.ts';
import { collectionOfType, findResourceType } from './resource-types/index.ts';
import { ApiError } from './status/index.ts';

/**
 * Refuses a login that stands and falls by objects, where one of them is gone, is another one by now, or was deleted
 * some time ago, though it is held or given time: they are read consistently with every request. `now`: in ms since the
 * epoch.
 *
 * @throws ApiError 401
 */
export async function refuseUnbound(store: Store, bound: readonly BoundObject[], now: number): Promise<void> {
  const found = await Promise.all(
    bound.map(async ({ resource, namespace, name, uid }) => {
      const type = findResourceType('', 'v1', resource);
      const state = type && (await store.get(collectionOfType(type), { namespace, name }));
      return state?.uid === uid && !isOver(metadataOf(state.body).deletionTimestamp, now);
    }),
  );
  if (!found.every(Boolean)) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
}

/** As kube-apiserver: who is being stopped may end what it does. In ms. */
const LEEWAY = 60_000;

function isOver(deleted: JsonValue | undefined, now: number): boolean {
  return deleted !== undefined && Date.parse(String(deleted)) + LEEWAY < now;
}
