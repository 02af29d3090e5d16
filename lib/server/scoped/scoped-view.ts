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

/** A request that is allowed, perhaps for some objects only. */
export interface ScopedRequest {
  /** All that there is. */
  readonly store: Store;
  readonly watches: Watches;
  readonly route: ResourceRoute;
  readonly permission: Permission;
  readonly clock: Pick<Clock, 'now'>;
  /** The custom kinds that there are. */
  customTypes(): Promise<readonly ResourceType[]>;
}

/** What a verb goes by: `whole` is for what the server itself has to know. */
export interface ScopedView {
  readonly store: Store;
  readonly watches: Watches;
  readonly whole: Store;
}

/**
 * Kinds that are answered and not stored, from what the caller sees or from the caller's own rights. Any other
 * question is about all that there is.
 */
const ANSWERED_WITHIN: ReadonlySet<string> = new Set([
  'Binding',
  'ReachabilityReview',
  'SelectionReview',
  'SelfSubjectAccessReview',
  'SelfSubjectReview',
  'SelfSubjectRulesReview',
]);

/**
 * The store and the watches within the permission's sight, whatever a verb does with them.
 *
 * @throws ApiError 403 the answer could not be kept within it
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
  if (scope === undefined || isStored(type) || ANSWERED_WITHIN.has(type.kind)) return;
  const who = `User ${JSON.stringify(user.name)}`;
  const why = `${who} may see only objects that match ${scope}; this request needs access to all objects`;
  throw forbidden(type, '', why);
}
