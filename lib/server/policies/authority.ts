import {
  type Author,
  type Authored,
  type Authority,
  printScope,
  printStanding,
} from '../../delivery/index.ts';
import { authorize, type Policy, Scope } from '../../kubernetes/rbac/index.ts';
import { AUTHOR_LIFE, type AuthorLife, type Clock, readAuthorLife } from '../../platform/index.ts';
import { type DeliveryGrant, deliveryScope, whyNotTold } from './delivery-scope.ts';
import { lookUpAuthors } from './look-up-authors.ts';
import { PolicyCache } from './policy-cache.ts';
import { type Standing, userNow } from './user-now.ts';

const NOTHING = Scope.of([]);

export interface AuthorityOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** How long a user counts as an author after the last request; by default {@link AUTHOR_LIFE}. */
  readonly life?: AuthorLife | undefined;
}

/**
 * The authority that decides delivery: by roles, bindings and grants, and by the current identity of each author. A
 * process keeps one instance, which caches the roles, bindings and grants.
 */
export function createAuthority({ clock, life = readAuthorLife(AUTHOR_LIFE) }: AuthorityOptions): Authority {
  const cache = new PolicyCache();
  return {
    now: async (store, authors) => {
      const [{ policy, entries }, looked] = await Promise.all([
        cache.current(store),
        lookUpAuthors(store, authors),
      ]);
      const now = clock.now();
      const standings = remembered((author: Author) => userNow(author, { entries, looked, now, life }));
      return remembered((authored: Authored) => {
        const told = toldBy(authored);
        const { user, standing } = standings(authored.author);
        const scope = user === undefined ? printScope([]) : printed(told, widest(policy, user, told));
        return { scope, standing: printStanding(standing) };
      }, keyOf);
    },
  };
}

/** A function that calls `decide` once for each key, and remembers the result. */
function remembered<Given, Result>(
  decide: (given: Given) => Result,
  key: (given: Given) => string = JSON.stringify,
): (given: Given) => Result {
  const known = new Map<string, Result>();
  return (given) => {
    const name = key(given);
    const found = known.get(name) ?? decide(given);
    known.set(name, found);
    return found;
  };
}

const keyOf = (authored: Authored): string => JSON.stringify([authored.author, toldBy(authored)]);

function toldBy({ target: { collection }, namespace }: Authored): DeliveryGrant {
  const [group = '', resource = ''] = collection.split('/');
  return { apiGroup: group === 'core' ? '' : group, resource, namespace };
}

type User = NonNullable<Standing['user']>;

/** The wider scope for Events, which exist in two API groups. Access through either group is enough. */
function widest(policy: Policy, user: User, told: DeliveryGrant): Scope | undefined {
  const own = scopeOf(policy, user, told);
  if (own === undefined || told.apiGroup !== '' || told.resource !== 'events') return own;
  return scopeOf(policy, user, { ...told, apiGroup: 'events.k8s.io' });
}

function scopeOf(policy: Policy, user: User, told: DeliveryGrant): Scope | undefined {
  return deliveryScope(told, (access) => {
    const { allowed, scope } = authorize(policy, user, access);
    return allowed ? undefined : (scope ?? NOTHING);
  });
}

/** The scope as a state row stores it. A scope that cannot be stored becomes one without objects. */
function printed(told: DeliveryGrant, scope: Scope | undefined): string {
  if (scope === undefined) return '';
  return printScope(whyNotTold(told, scope) === undefined ? scope.selectors : []);
}
