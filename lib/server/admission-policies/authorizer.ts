import type { Judged } from '../../kubernetes/admission-policies/index.ts';
import type { Access, Policy } from '../../kubernetes/rbac/index.ts';
import { decide, type Permission } from '../access/index.ts';

type Authorizer = Judged['authorizer'];
type Check = Parameters<Authorizer['check']>[0];

/**
 * The authorizer of expressions: roles and grants decide. Access to some objects only counts as no access. The rights
 * of a node count for the caller only.
 *
 * @param permission the caller's; undefined for members of `system:masters`
 */
export function authorizerOf(policy: Policy, permission: Permission | undefined): Authorizer {
  return {
    check: (check) => {
      const { name, groups } = check.user;
      const access = accessOf(check);
      const isCaller =
        permission !== undefined &&
        permission.user.name === name &&
        permission.user.groups.join('\n') === groups.join('\n');
      const { allowed, reason } = isCaller
        ? permission.judge(access)
        : decide({ user: { name, groups }, policy }, access);
      return { isAllowed: allowed, reason };
    },
  };
}

function accessOf(check: Check): Access {
  if ('path' in check) return { verb: check.verb, path: check.path };
  const { verb, apiGroup, resource, subresource, namespace, name } = check;
  return { verb, apiGroup, resource, subresource, namespace, name };
}
