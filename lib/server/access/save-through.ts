import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import type { ApiRequest, ResourceRoute } from '../http/index.ts';
import { aggregatingStore } from './aggregating-store.ts';
import { authorOf, writerOf } from './author.ts';
import { authoredStore } from './authored-store.ts';
import { entryStore } from './entry-store.ts';
import { guardedStore } from './guarded-store.ts';
import type { Permission } from './permission.ts';

export interface RoleStoreOptions {
  readonly clock: Clock;
  /** The effective user of the request. */
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** Undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
}

/**
 * Wraps the store of a request that writes roles, AccessEntries, Subscriptions or Tallies. The wrapper refuses writes
 * that the caller may not do, and adds what is written with them.
 */
export function saveThrough(own: Store, { clock, request, route, permission }: RoleStoreOptions): Store {
  const kept = keptStore(own, route.type, { clock, request });
  if (permission === undefined) return kept;
  return guardedStore(kept, { permission, route, author: authorOf(request) });
}

function keptStore(
  own: Store,
  type: ResourceType,
  { clock, request }: Pick<RoleStoreOptions, 'clock' | 'request'>,
): Store {
  switch (`${type.resource}.${type.group}`) {
    case 'clusterroles.rbac.authorization.k8s.io':
      return aggregatingStore({ store: own, clock });
    case 'accessentries.winnow.dev':
      return entryStore(own, type);
    case 'subscriptions.winnow.dev':
    case 'tallies.winnow.dev':
      return authoredStore(own, type, { author: authorOf(request), writer: writerOf(request) });
    default:
      return own;
  }
}
