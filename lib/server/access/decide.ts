import {
  type Access,
  authorize,
  type Decision,
  type Policy,
  type User,
} from '../../kubernetes/rbac/index.ts';
import type { NodeAuthority } from '../nodes/index.ts';

/** The effective user of a request, with the roles and the other rights that count for this user. */
export interface Rights {
  readonly user: User;
  readonly policy: Policy;
  /** The rights of the node that the user stands for; absent for other users. */
  readonly node?: NodeAuthority | undefined;
}

/** Decides whether a user has access: by the rights of its node, and then by roles and grants. */
export function decide({ user, policy, node }: Rights, access: Access): Decision {
  const own = node?.judge(user, access);
  if (own?.allowed === true) return own;
  const granted = authorize(policy, user, access);
  const isGranted = granted.allowed || granted.scope !== undefined;
  if (isGranted || own === undefined || own.reason === '') return granted;
  return { ...granted, reason: granted.reason === '' ? own.reason : `${own.reason}\n${granted.reason}` };
}
