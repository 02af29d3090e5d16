import type { Access } from '../../kubernetes/rbac/index.ts';
import { quote } from '../../selectors/index.ts';
import { ApiError, forbidden } from '../status/index.ts';

/**
 * The 403 error for an access, in Kubernetes' words (k8s.io/apiserver, responsewriters.Forbidden).
 *
 * @param reason the reason of the decision; often empty
 */
export function forbiddenAccess(username: string, access: Access, reason: string): ApiError {
  const message = harmless(messageOf(username, access));
  const why = reason === '' ? message : `${message}: ${reason}`;
  if ('path' in access || access.resource === '') return new ApiError(403, 'Forbidden', `forbidden: ${why}`);
  return forbidden({ group: access.apiGroup, resource: access.resource }, access.name, why);
}

function messageOf(username: string, access: Access): string {
  const who = `User ${quote(username)} cannot ${access.verb}`;
  if ('path' in access) return `${who} path ${quote(access.path)}`;
  const { resource, subresource, apiGroup, namespace } = access;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(whole)} in API group ${quote(apiGroup)} ${where}`;
}

/** Escapes what a browser would take for HTML. */
function harmless(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
