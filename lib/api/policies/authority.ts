import { authorize, type Policy, Scope, type User } from '../../rbac/index.ts';
import { type Author, type Authored, type Authority, printScope } from '../../watch/index.ts';
import { AUTHENTICATED } from '../http/index.ts';
import type { AccessEntries } from './access-entries.ts';
import { userOf } from './access-entry.ts';
import { PolicyCache } from './policy-cache.ts';
import { type Told, toldScope, whyNotTold } from './told-scope.ts';

const NOTHING = Scope.of([]);

/** By roles, bindings and grants. Keep one a process: it remembers them. */
export function createAuthority(): Authority {
  const cache = new PolicyCache();
  return {
    now: async (store) => {
      const { policy, entries } = await cache.current(store);
      const known = new Map<string, string>();
      return (authored) => {
        const told = toldBy(authored);
        const key = JSON.stringify([authored.author, told]);
        const scope =
          known.get(key) ?? printed(told, widest(policy, userNow(authored.author, entries), told));
        known.set(key, scope);
        return scope;
      };
    },
  };
}

function toldBy({ target: { collection }, namespace }: Authored): Told {
  const [group = '', resource = ''] = collection.split('/');
  return { apiGroup: group === 'core' ? '' : group, resource, namespace };
}

/** Events are of two groups, and who may see them by either sees all of it. */
function widest(policy: Policy, user: User, told: Told): Scope | undefined {
  const own = scopeOf(policy, user, told);
  if (own === undefined || told.apiGroup !== '' || told.resource !== 'events') return own;
  return scopeOf(policy, user, { ...told, apiGroup: 'events.k8s.io' });
}

function scopeOf(policy: Policy, user: User, told: Told): Scope | undefined {
  return toldScope(told, (access) => {
    const { allowed, scope } = authorize(policy, user, access);
    return allowed ? undefined : (scope ?? NOTHING);
  });
}

/** As a state row holds it. What cannot be told within its bounds is not told. */
function printed(told: Told, scope: Scope | undefined): string {
  if (scope === undefined) return '';
  return printScope(whyNotTold(told, scope) === undefined ? scope.selectors : []);
}

/** Of a principal, whoever an AccessEntry makes of him now. */
function userNow({ username, groups, principal }: Author, entries: AccessEntries): User {
  if (principal === undefined) return { name: username, groups };
  const entry = entries.of(principal);
  const own = { username: principal, groups: [AUTHENTICATED] };
  const user = entry === undefined ? own : userOf(entry, own);
  return { name: user.username, groups: user.groups };
}
