import { type Access, authorize, type Policy } from '../../kubernetes/rbac/index.ts';
import { ANONYMOUS, AUTHENTICATED, type UserInfo } from '../http/index.ts';
import { ApiError } from '../status/index.ts';
import { forbiddenAccess } from './forbidden-access.ts';
import type { Impersonation } from './read-impersonation.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
const [UNAUTHENTICATED = ''] = ANONYMOUS.groups;

/** One part of an identity, such as one group. Each part is authorized by itself. */
interface Wanted {
  readonly kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra' | 'UID';
  readonly name: string;
  readonly namespace?: string;
  /** The key of an extra field; absent for other parts. */
  readonly key?: string;
}

const RESOURCES = {
  User: 'users',
  ServiceAccount: 'serviceaccounts',
  Group: 'groups',
  UserExtra: 'userextras',
  UID: 'uids',
} as const;

/**
 * The user that a request impersonates. Each part of the identity is authorized by itself, as in Kubernetes
 * (k8s.io/apiserver/pkg/endpoints/filters/impersonation.go).
 *
 * @param policy undefined for members of `system:masters`
 * @throws ApiError 403 the caller may not impersonate this identity, 500 headers without a user
 */
export function impersonate(user: UserInfo, asked: Impersonation, policy: Policy | undefined): UserInfo {
  const wanted = wantedBy(asked);
  if (asked.user === '') {
    const printed = wanted.map(printReference).join(' ');
    throw new ApiError(500, 'InternalError', `requested [${printed}] without impersonating a user`);
  }
  for (const one of wanted) demand(user, accessTo(one), policy);
  const { user: username, uid, extra } = asked;
  return {
    username,
    groups: groupsOf(asked),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** The permissions that the writer of an AccessEntry needs: to impersonate each user and each group that it names. */
export function accessToNames({ users, groups }: Names): Access[] {
  const named = (kind: 'User' | 'Group') => (name: string) => accessTo({ kind, name });
  return [...users.map(named('User')), ...groups.map(named('Group'))];
}

/** The permission that is needed to act as a service account. */
export function accessToAccount(account: { readonly namespace: string; readonly name: string }): Access {
  return accessTo({ kind: 'ServiceAccount', ...account });
}

interface Names {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

function demand({ username: name, groups }: UserInfo, access: Access, policy: Policy | undefined): void {
  if (policy === undefined) return;
  const { allowed, reason } = authorize(policy, { name, groups: [...groups] }, access);
  if (!allowed) throw forbiddenAccess(name, access, reason);
}

/** The parts of an identity, in the order in which they are authorized. */
function wantedBy({ user, uid, groups, extra }: Impersonation): Wanted[] {
  const [, namespace, name = ''] = SERVICE_ACCOUNT.exec(user) ?? [];
  const account: Wanted[] = namespace === undefined ? [] : [{ kind: 'ServiceAccount', namespace, name }];
  const person: Wanted[] = user === '' || namespace !== undefined ? [] : [{ kind: 'User', name: user }];
  return [
    ...account,
    ...person,
    ...groups.map((group): Wanted => ({ kind: 'Group', name: group })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value): Wanted => ({ kind: 'UserExtra', name: value, key })),
    ),
    ...(uid === '' ? [] : [{ kind: 'UID', name: uid } as const]),
  ];
}

function accessTo({ kind, name, namespace = '', key = '' }: Wanted): Access {
  const apiGroup = kind === 'UserExtra' || kind === 'UID' ? 'authentication.k8s.io' : '';
  return { verb: 'impersonate', apiGroup, resource: RESOURCES[kind], subresource: key, namespace, name };
}

/**
 * The groups in the headers. If the headers name no group and the user is a service account, the groups of that
 * account. The result always has `system:authenticated` or `system:unauthenticated`.
 */
function groupsOf({ user, groups }: Impersonation): string[] {
  const [, namespace] = SERVICE_ACCOUNT.exec(user) ?? [];
  const account =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const named = groups.length > 0 ? groups : account;
  const own = user === ANONYMOUS.username ? UNAUTHENTICATED : AUTHENTICATED;
  const isSaid = named.includes(own) || named.includes(UNAUTHENTICATED);
  return isSaid ? [...named] : [...named, own];
}

/** A v1.ObjectReference as Go prints it. */
function printReference({ kind, name, namespace = '', key = '' }: Wanted): string {
  const version = kind === 'UserExtra' || kind === 'UID' ? 'authentication.k8s.io/v1' : '';
  return `{${[kind, namespace, name, '', version, '', key].join(' ')}}`;
}
