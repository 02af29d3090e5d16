import type { PRIVILEGED_GROUP } from '../../kubernetes/rbac/index.ts';

/**
 * Who asks, as Kubernetes tells it.
 * https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/self-subject-review-v1/
 */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the login knows, such as the name of a role's session. Identifies nobody. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Who is in it may do everything. Said here again, so that who knows of it loads no roles. */
export const MASTERS: typeof PRIVILEGED_GROUP = 'system:masters';

/** Whoever is somebody. */
export const AUTHENTICATED = 'system:authenticated';

/** Whom nobody asked who he is. */
export const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
