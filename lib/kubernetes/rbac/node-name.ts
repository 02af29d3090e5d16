import type { User } from './access.ts';

const PREFIX = 'system:node:';
const GROUP = 'system:nodes';

/**
 * The node that a user stands for: a user `system:node:NAME` in the group `system:nodes`, as kubelets log in. Undefined
 * for other users.
 *
 * @see k8s.io/kubernetes/pkg/auth/nodeidentifier
 */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(PREFIX) && groups.includes(GROUP) ? name.slice(PREFIX.length) : undefined;
}
