import { isStored, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store, Watches } from '../../store/index.ts';
import type { Permission } from '../access/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { forbidden } from '../status/index.ts';
import { RowFilter } from './row-filter.ts';
import { ScopeCheck } from './scope-check.ts';
import { scopedStore } from './scoped-store.ts';
import { scopedWatches } from './scoped-watches.ts';

/** An authorized request, with access to all objects or to those in a scope. */
export interface ScopedRequest {
  /** The store without scopes. */
  readonly store: Store;
  readonly watches: Watches;
  readonly route: ResourceRoute;
  readonly permission: Permission;
  readonly clock: Pick<Clock, 'now'>;
  /** The custom kinds. */
  customTypes(): Promise<readonly ResourceType[]>;
}

/** The store and the watches that a verb uses. `whole` has no scopes: the server's own checks use it. */
export interface ScopedView {
  readonly store: Store;
  readonly watches: Watches;
  readonly whole: Store;
}

/**
 * The store and the watches of a request, limited to the scopes of its permission.
 *
 * @throws ApiError 403 the answer would depend on objects outside the scope
 */
export function scopedView(request: ScopedRequest): ScopedView {
  const { store, watches, permission, route, clock } = request;
  refuseQuestion(request);
  const { sight } = permission;
  const visibility = new RowFilter(request);
  const guard = new ScopeCheck({ ...request, visibility });
  return {
    store: scopedStore(store, { sight, visibility, guard, type: route.type }),
    watches: scopedWatches(watches, { sight, visibility, store, clock }),
    whole: store,
  };
}

function refuseQuestion({ route: { type }, permission: { scope, user } }: ScopedRequest): void {
  if (scope === undefined || isStored(type) || type.answersFrom !== undefined) return;
  const who = `User ${JSON.stringify(user.name)}`;
  const why = `${who} may see only objects that match ${scope}; this request needs access to all objects`;
  throw forbidden(type, '', why);
}
