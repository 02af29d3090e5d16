import type { PRIVILEGED_GROUP } from '../../kubernetes/rbac/index.ts';

/**
 * The caller, as Kubernetes describes users.
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/self-subject-review-v1/
 */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the login knows, such as the name of a role's session. Identifies nobody. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Members of this group may do everything. Said here again, so that who knows of it loads no roles. */
export const MASTERS: typeof PRIVILEGED_GROUP = 'system:masters';

/** The group of all authenticated users. */
export const AUTHENTICATED = 'system:authenticated';

/** The user of requests without a login. */
export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
