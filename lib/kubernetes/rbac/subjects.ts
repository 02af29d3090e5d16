import { quote } from '../../selectors/index.ts';
import type { User } from './access.ts';
import type { Subject } from './objects.ts';

const SERVICE_ACCOUNT = 'system:serviceaccount:';

/**
 * The subject as text that is the same for all who are meant by it; undefined where nobody is: an unknown kind, or a
 * service account of no namespace.
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

/** The keys of all subjects by which a user is meant. */
export function keysOf({ name, groups }: User): string[] {
  return [`user ${name}`, ...new Set(groups.map((group) => `group ${group}`))];
}

/** In Kubernetes' words: `User "jane"`, `ServiceAccount "robot/default"`. */
export function showSubject({ kind, name, namespace: own = '' }: Subject, namespace: string): string {
  const whole = kind === 'ServiceAccount' ? `${name}/${own === '' ? namespace : own}` : name;
  return `${kind} ${quote(whole)}`;
}
