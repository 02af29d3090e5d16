import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { ResourceAccess, Scope } from '../../kubernetes/rbac/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { forbidden } from '../status/index.ts';
import type { Permission } from './permission.ts';

/**
 * Refuses to store an object that its writer could not see.
 *
 * @throws ApiError 403 it names the labels that the object needs
 */
export function refuseOutside(
  { user }: Pick<Permission, 'user'>,
  {
    scope,
    access,
    body,
  }: { readonly scope: Scope; readonly access: ResourceAccess; readonly body: JsonObject },
): void {
  if (scope.matches(labelsOf(body))) return;
  const { verb, apiGroup: group, resource, namespace } = access;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const who = `User ${JSON.stringify(user.name)} can ${verb} resource ${JSON.stringify(resource)}`;
  const why = `${who} in API group ${JSON.stringify(group)} ${where} only with labels that match ${scope}`;
  throw forbidden({ group, resource }, String(metadataOf(body).name ?? ''), why);
}

export function labelsOf(body: JsonObject): Labels {
  return objectAt(metadataOf(body).labels) as Labels;
}
