import type { PRIVILEGED_GROUP } from '../../kubernetes/rbac/index.ts';

/**
 * A user, as in Kubernetes. See
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/self-subject-review-v1/.
 */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further facts from the login, such as the name of a role session. They do not identify the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Members of this group may do everything. The name is repeated here, so that importing it does not load the code of
 * roles.
 */
export const MASTERS: typeof PRIVILEGED_GROUP = 'system:masters';

/** The group of all authenticated users. */
export const AUTHENTICATED = 'system:authenticated';

/** The user of requests without a login. */
export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
