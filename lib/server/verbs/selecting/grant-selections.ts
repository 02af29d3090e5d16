import type { Collection } from '../../../json/index.ts';
import { isSelected, type SelectableObject, type Selection } from '../../../kubernetes/carriers/index.ts';
import { type Access, authorize, type GrantOver } from '../../../kubernetes/rbac/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { everyField } from '../../../selectors/index.ts';
import type { FoundSelector } from '../../../store/index.ts';
import type { Call } from '../../http/index.ts';

/** The objects of a type that a review is about. */
interface Reviewed {
  readonly type: ResourceType;
  /** `''` in cluster scope. */
  readonly namespace: string;
  /** The name of the object; `''` if it has none yet. */
  readonly name: string;
  /** The object before and after a change. */
  readonly subjects: readonly SelectableObject[];
}

/** The grants that select an object, and the kinds of grants that the caller may not list. */
interface FoundGrants {
  readonly found: readonly FoundSelector[];
  readonly hidden: readonly string[];
}

const KINDS = {
  ClusterAccessGrant: 'winnow.dev/clusteraccessgrants',
  AccessGrant: 'winnow.dev/accessgrants',
} as const satisfies Record<GrantOver['kind'], Collection>;

/**
 * The AccessGrants and ClusterAccessGrants that give rights on one of the subjects. Grants are not in the reverse index;
 * they are in memory, with all roles.
 */
export async function grantSelections(call: Call, reviewed: Reviewed): Promise<FoundGrants> {
  const { type, namespace, name, subjects } = reviewed;
  const { username, groups } = call.request.user;
  const { user, policy } = call.permit?.now() ?? {
    user: { name: username, groups },
    policy: await call.policy(),
  };
  const mayList = (kind: GrantOver['kind']) => authorize(policy, user, listing(kind, namespace)).allowed;
  const kinds = Object.keys(KINDS) as GrantOver['kind'][];
  const hidden = kinds.filter(
    (kind) => !(kind === 'AccessGrant' && type.scope === 'Cluster') && !mayList(kind),
  );
  const target = collectionOfType(type);
  const found: FoundSelector[] = [];
  for (const grant of policy.grantsOver({ apiGroup: type.group, resource: type.resource, name }, namespace)) {
    if (hidden.includes(grant.kind)) continue;
    const carried: Selection = {
      path: 'labelSelector',
      target,
      ...(grant.namespace !== '' && { namespaces: [grant.namespace] }),
      selector: grant.selector,
      fields: everyField,
    };
    if (!subjects.some((subject) => isSelected(carried, subject))) continue;
    const collection = KINDS[grant.kind];
    const key = { namespace: grant.namespace, name: grant.name };
    const state = await call.options.store.get(collection, key);
    // The grant may be gone since the policy was read.
    if (state !== undefined) found.push({ collection, name: key, uid: state.uid, carried });
  }
  return { found, hidden };
}

function listing(kind: GrantOver['kind'], namespace: string): Access {
  const [apiGroup = '', resource = ''] = KINDS[kind].split('/');
  return {
    verb: 'list',
    apiGroup,
    resource,
    subresource: '',
    namespace: kind === 'AccessGrant' ? namespace : '',
    name: '',
  };
}
