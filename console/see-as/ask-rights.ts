import { connect } from '../../lib/client/objects/index.ts';
import { ask, isCustom, type KindInfo, kinds } from '../api/index.ts';
import { sessionFetch } from '../session/index.ts';
import { type Granting, type Known, knownOf, type May, mayOf, VERBS } from './subjects.ts';

/** A user with groups, such as the page asks about. */
export interface Person {
  readonly user: string;
  readonly groups: readonly string[];
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GRANTING = [
  `${RBAC}/rolebindings`,
  `${RBAC}/clusterrolebindings`,
  ...['accessgrants', 'clusteraccessgrants', 'accessentries'].map(
    (plural) => `/apis/winnow.dev/v1/${plural}`,
  ),
];
/** The most objects of each kind that are searched for users. */
const MOST = 200;
/** The kinds in the table of rights, and the questions that are open at once. */
const MOST_KINDS = 12;
const AT_ONCE = 6;
const USUAL = [
  ...['pods', 'services', 'configmaps', 'secrets', 'nodes', 'deployments.apps', 'jobs.batch'],
  ...['networkpolicies.networking.k8s.io', 'subscriptions.winnow.dev', 'tallies.winnow.dev', 'namespaces'],
];

/** The users and groups that the console's user can find. What that user may not list is left out. */
export async function readKnown(signal: AbortSignal): Promise<Known> {
  // The other requests of the page read as the user of "see as".
  const own = connect({ url: location.origin, fetch: sessionFetch });
  const query = { limit: String(MOST) };
  const lists = await Promise.all(
    GRANTING.map((path) =>
      own.request<{ items: readonly Granting[] }>(path, { query, signal }).catch(() => undefined),
    ),
  );
  return knownOf(lists.flatMap((one) => one?.items ?? []));
}

/**
 * Checks that the page may read as a user: every user may read the version.
 *
 * @throws {WinnowError} the roles of the console's user do not allow it
 */
export async function checkPerson({ user, groups }: Person, signal: AbortSignal): Promise<void> {
  const asPerson: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('impersonate-user', user);
    for (const group of groups) headers.append('impersonate-group', group);
    return sessionFetch(input, { ...init, headers });
  };
  await connect({ url: location.origin, fetch: asPerson }).request('/version', { signal });
}

/** The kinds of the table: kinds of the user's own, the one that is shown, and those that most people look for. */
export function kindsToAsk(shown: string): readonly KindInfo[] {
  const own = kinds.value.filter(isCustom).slice(0, 4);
  const named = [shown, ...USUAL].flatMap((id) => kinds.value.find((one) => one.id === id) ?? []);
  return [...new Set([...named.slice(0, 1), ...own, ...named])].slice(0, MOST_KINDS);
}

/** What a user may do with a kind, by verb. */
export interface Rights {
  readonly kind: KindInfo;
  readonly verbs: ReadonlyMap<string, May>;
}

/** Asks what a user may do, and tells the answers so far. */
export async function askRights(
  { user, groups }: Person,
  namespace: string,
  asked: readonly KindInfo[],
  tell: (rights: readonly Rights[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const found = asked.map((kind) => ({ kind, verbs: new Map<string, May>() }));
  const left = found.flatMap((row) => VERBS.map((verb) => ({ ...row, verb }))).values();
  const work = async () => {
    for (const { kind, verbs, verb } of left) {
      signal.throwIfAborted();
      const inside = kind.namespaced && namespace !== '' ? { namespace } : {};
      const resourceAttributes = { verb, group: kind.group, resource: kind.plural, ...inside };
      // A review considers only the groups that it names.
      const spec = { user, groups: [...groups, 'system:authenticated'], resourceAttributes };
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const { status } = await ask<{ status: { allowed: boolean; reason?: string } }>(path, {
        method: 'POST',
        body,
        isRead: true,
        signal,
      });
      verbs.set(verb, mayOf(status));
      if (!signal.aborted) tell([...found]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
