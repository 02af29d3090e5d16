import type { JsonObject } from '../../json/index.ts';
import { collectionOfType, findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Store } from '../../store/index.ts';
import type { BoundObject } from '../http/index.ts';
import { isOver } from '../policies/index.ts';
import { ApiError } from '../status/index.ts';

/**
 * Refuses a login that is bound to objects if one of them does not exist or has another uid. An object that has been in
 * deletion for longer than the leeway of {@link isOver} also counts as absent. Every request reads these objects
 * consistently.
 *
 * @param now in ms since the epoch
 * @throws ApiError 401
 */
export async function refuseUnbound(store: Store, bound: readonly BoundObject[], now: number): Promise<void> {
  const fault = await unboundFault(store, bound, now);
  if (fault !== undefined) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
}

/** Why a bound login is not valid, in Kubernetes' words; undefined if it is valid. */
export async function unboundFault(
  store: Store,
  bound: readonly BoundObject[],
  now: number,
): Promise<string | undefined> {
  const faults = await Promise.all(
    bound.map(async (one) => {
      const { resource, namespace, name } = one;
      const type = findResourceType('', 'v1', resource);
      const state = type && (await store.get(collectionOfType(type), { namespace, name }));
      return faultOf(one, state, now);
    }),
  );
  return faults.find((fault) => fault !== undefined);
}

/** k8s.io/kubernetes/pkg/serviceaccount, Validate */
function faultOf(
  { resource, namespace, name, uid }: BoundObject,
  state: { readonly uid: string; readonly body: JsonObject } | undefined,
  now: number,
): string | undefined {
  const isAccount = resource === 'serviceaccounts';
  if (state === undefined) {
    return isAccount ? `serviceaccounts ${JSON.stringify(name)} not found` : INVALIDATED;
  }
  if (isOver(state.body, now)) {
    return isAccount ? `service account ${namespace}/${name} has been deleted` : INVALIDATED;
  }
  if (state.uid === uid) return undefined;
  const kind = resource.slice(0, -1);
  return isAccount
    ? `service account UID (${state.uid}) does not match claim (${uid})`
    : `${kind} UID (${state.uid}) does not match service account ${kind} ref claim (${uid})`;
}

const INVALIDATED = 'service account token has been invalidated';
