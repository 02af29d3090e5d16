import { type JsonObject, objectAt, objectsIn } from '../../json/index.ts';
import { type Access, nodeNameOf, type Policy, rulesFor, type User } from '../../kubernetes/rbac/index.ts';
import type { Store } from '../../store/index.ts';
import type { NodeAuthority } from '../nodes/index.ts';
import { requiredIn } from './attributes-of.ts';
import { decide, type Rights } from './decide.ts';

/**
 * The status of an access review: whether the user may do what the spec asks. For the caller's own rights, limited access
 * counts as allowed, and the reason names the scope. For another user, only access to all objects counts as allowed.
 */
export function judgeAccess(rights: Rights, { spec, isOwn }: AccessQuestion): JsonObject {
  const { allowed, scope, reason } = decide(rights, rights.node?.access ?? accessOf(spec));
  return { allowed: allowed || (isOwn && scope !== undefined), ...(reason !== '' && { reason }) };
}

/** The rights of the node that the user of an access review stands for; undefined for other users. */
export async function nodeInReview(
  store: Store,
  user: User,
  spec: JsonObject,
): Promise<NodeAuthority | undefined> {
  if (nodeNameOf(user) === undefined) return undefined;
  const { NodeAuthority } = await import('../nodes/index.ts');
  return NodeAuthority.of(store, { user, access: accessOf(spec), selected: selectedNodesIn(spec) });
}

interface AccessQuestion {
  readonly spec: JsonObject;
  /** Whether the review is about the caller's own rights. */
  readonly isOwn: boolean;
}

/**
 * The status of a rules review: what a user may do with all objects of a namespace. It also names the grants that allow
 * access to some objects only.
 */
export function judgeRules(policy: Policy, user: User, namespace: string): JsonObject {
  const { rules, error } = rulesFor(policy, user, namespace);
  const listed = <Field extends string>(field: Field, values: readonly string[] | undefined) =>
    values === undefined || values.length === 0 ? {} : { [field]: [...values] };
  const resourceRules = rules
    .filter(({ resources = [] }) => resources.length > 0)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs: [...verbs],
      ...listed('apiGroups', apiGroups),
      ...listed('resources', resources),
      ...listed('resourceNames', resourceNames),
    }));
  const nonResourceRules = rules
    .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
    .map(({ verbs, nonResourceURLs }) => ({
      verbs: [...verbs],
      ...listed('nonResourceURLs', nonResourceURLs),
    }));
  const beside = [
    ...(nodeNameOf(user) === undefined ? [] : ['node authorizer does not support user rule resolution']),
    ...grantsOf(policy, user, namespace),
  ];
  const status = { resourceRules, nonResourceRules, incomplete: beside.length > 0 };
  const why = [...(error === '' ? [] : [error]), ...beside].join('; ');
  return why === '' ? status : { ...status, evaluationError: why };
}

function grantsOf(policy: Policy, user: User, namespace: string): string[] {
  return [...policy.scopedGrants(user, namespace)].map((grant) =>
    'error' in grant
      ? grant.error
      : `${grant.source()} grants more access, to objects with labels that match ${grant.scope}`,
  );
}

/** The nodes that the field selector of a review requires in `spec.nodeName`. */
function selectedNodesIn({ resourceAttributes }: JsonObject): readonly string[] {
  const { rawSelector, requirements } = objectAt(objectAt(resourceAttributes).fieldSelector);
  if (requirements === undefined) return requiredIn(String(rawSelector ?? ''), 'spec.nodeName');
  return objectsIn(requirements)
    .filter(({ key, operator }) => key === 'spec.nodeName' && operator === 'In')
    .flatMap(({ values }) => (Array.isArray(values) && values.length === 1 ? values.map(String) : []));
}

function accessOf({ resourceAttributes, nonResourceAttributes }: JsonObject): Access {
  if (resourceAttributes === undefined) {
    const { path = '', verb = '' } = objectAt(nonResourceAttributes);
    return { path: String(path), verb: String(verb) };
  }
  const { verb, group, resource, subresource, namespace, name } = objectAt(resourceAttributes);
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    verb: text(verb),
    apiGroup: text(group),
    resource: text(resource),
    subresource: text(subresource),
    namespace: text(namespace),
    name: text(name),
  };
}
