import type { Collection, ObjectName } from '../../json/index.ts';
import type { ResourceAccess } from '../../kubernetes/rbac/index.ts';
import { collectionOfType, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { Store } from '../../store/index.ts';
import { labelsOf, type Permission, refuseOutside } from '../access/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { alreadyExists } from '../status/index.ts';
import type { Put } from './put.ts';
import { refuseOwners } from './refuse-owners.ts';
import { EVENTS, type RowFilter } from './row-filter.ts';

export interface WriteGuardOptions {
  readonly permission: Permission;
  readonly route: ResourceRoute;
  readonly visibility: RowFilter;
  customTypes(): Promise<readonly ResourceType[]>;
}

/** Refuses writes that callers with limited access must not do. */
export class ScopeCheck {
  readonly #options: WriteGuardOptions;

  constructor(options: WriteGuardOptions) {
    this.#options = options;
  }

  /**
   * Throws the error for a name whose object the caller cannot see.
   *
   * @throws ApiError always: 409, or 403 if the caller could not create an object of this name
   */
  refuseTaken(name: ObjectName): never {
    const { permission, route } = this.#options;
    const { type, verb, subresource } = route;
    const { group: apiGroup, resource } = type;
    if (verb !== 'create') permission.reach({ verb: 'create', apiGroup, resource, subresource, ...name });
    throw alreadyExists(type, name.name);
  }

  /** @throws ApiError 403 the caller could not see the stored object, or may not set the finalizers of its owners */
  async refuse(store: Store, put: Put): Promise<void> {
    const { permission, visibility, route, customTypes } = this.#options;
    const { collection, name, body } = put;
    const scope = permission.sight.of(collection);
    if (scope === undefined) return;
    const isOwn = collection === collectionOfType(route.type);
    const type = isOwn ? route.type : typeOf(collection, route.type);
    const { group: apiGroup, resource } = type;
    const access: ResourceAccess = {
      verb: route.verb,
      apiGroup,
      resource,
      subresource: isOwn ? route.subresource : '',
      ...name,
    };
    const labels = labelsOf(body);
    const seen = await visibility.among(store, { collection, scope }, [{ labels, body }]);
    if (seen.length === 0 && collection === EVENTS) permission.refuse(access);
    if (seen.length === 0) refuseOutside(permission, { scope, access, body });
    await refuseOwners({ store, permission, type, access, customTypes }, put);
  }
}

function typeOf(collection: Collection, other: ResourceType): ResourceType {
  return resourceTypes.find((type) => collectionOfType(type) === collection) ?? other;
}
