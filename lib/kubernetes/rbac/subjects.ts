import { quote } from '../../selectors/index.ts';
import type { User } from './access.ts';
import type { Subject } from './objects.ts';

const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * Returns the key of a subject, which is equal for all subjects with the same meaning. Undefined for a subject that
 * matches no user: an unknown kind, or a service account without a namespace.
 *
 * @param namespace of the binding, `''` for all
 */
export function subjectKey(
  { kind, name, namespace: own = '' }: Subject,
  namespace: string,
): string | undefined {
  if (kind === 'Group') return `group ${name}`;
  if (kind === 'User') return `user ${name}`;
  const home = own === '' ? namespace : own;
  if (kind !== 'ServiceAccount' || home === '') return undefined;
  return `user ${SERVICE_ACCOUNT}${home}:${name}`;
}

/** Returns the keys of all subjects that match a user. */
export function keysOf({ name, groups }: User): string[] {
  return [`user ${name}`, ...new Set(groups.map((group) => `group ${group}`))];
}

/** Formats a subject in Kubernetes' words: `User "jane"`, `ServiceAccount "robot/default"`. */
export function showSubject({ kind, name, namespace: own = '' }: Subject, namespace: string): string {
  const whole = kind === 'ServiceAccount' ? `${name}/${own === '' ? namespace : own}` : name;
  return `${kind} ${quote(whole)}`;
}
