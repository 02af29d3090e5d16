import { type Author, authorIn, isSameAuthor, serviceAccountOf } from '../../delivery/index.ts';
import { type Collection, type JsonObject, jsonEquals, type ObjectName, objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, SCOPED_SCHEMA, type Store } from '../../store/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { type DeliveryGrant, deliveryScope, readEntry, whyNotTold } from '../policies/index.ts';
import { storeWith } from '../registry/index.ts';
import { forbidden } from '../status/index.ts';
import { keepsTold } from './authored-store.ts';
import { accessToAccount, accessToNames } from './impersonate.ts';
import type { Permission } from './permission.ts';
import { refuseEscalation } from './refuse-escalation.ts';
import { refuseOutside } from './refuse-outside.ts';

const TOO_OLD =
  `Subscriptions limited to some objects need row schema version ${SCOPED_SCHEMA}. ` +
  'Ask an administrator to run: winnow upgrade --raise';

/** A write of a caller that is not in `system:masters`. */
export interface Guarded {
  readonly permission: Permission;
  readonly route: ResourceRoute;
  /** The caller, as the author of what the request writes. Undefined for members of `system:masters`. */
  readonly author: Author | undefined;
  /** All built-in and custom types. */
  types(): Promise<readonly ResourceType[]>;
}

/**
 * Wraps the store for callers outside `system:masters`. It checks more than the verb of a write:
 *
 * - A PUT or PATCH that creates an object needs `create`.
 * - A role or a binding grants no more than its writer has.
 * - The writer of an AccessEntry may impersonate the user and the groups that the entry names.
 * - The writer of a Subscription or a Tally may list and watch what it selects.
 * - The writer of an admission policy or of its binding may read the parameters.
 */
export function guardedStore(given: Store, guarded: Guarded): Store {
  const own = collectionOfType(guarded.route.type);
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      if (collection !== own) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined): Promise<Mutation> => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const put = { collection, name, current, body: mutation.body };
        judge(guarded, put);
        if (collection === SUBSCRIPTIONS || collection === TALLIES) await demandTargets(guarded, put, store);
        if (guarded.route.type.decides === 'writes') await demandParams(guarded, put, store);
        return mutation;
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

interface Put {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly current: ObjectState | undefined;
  readonly body: JsonObject;
}

/** @throws ApiError 403 */
function judge({ permission, route }: Guarded, { name, current, body }: Put): void {
  const { type, verb, subresource } = route;
  if (current === undefined && verb !== 'create' && subresource === '') {
    const { group: apiGroup, resource } = type;
    const access = { verb: 'create', apiGroup, resource, subresource, ...name };
    const scope = permission.reach(access);
    if (scope !== undefined) refuseOutside(permission, { scope, access, body });
  }
  if (type.decides === 'permissions') {
    refuseEscalation({ permission, type, name, current: current?.body, body });
  }
  if (type.decides === 'identities') demandNames(permission, { current: current?.body, body });
}

async function demandParams({ permission, route, types }: Guarded, put: Put, store: Store): Promise<void> {
  const { refuseParams } = await import('./refuse-params.ts');
  const { name, current, body } = put;
  const { type } = route;
  await refuseParams({ permission, type, name: name.name, current: current?.body, body, store, types });
}

interface BodyChange {
  readonly current: JsonObject | undefined;
  readonly body: JsonObject;
}

function keepsSpec({ current, body }: BodyChange): boolean {
  return current !== undefined && jsonEquals(objectAt(body.spec), objectAt(current.spec));
}

/** @throws ApiError 403 the caller may not impersonate the user that the entry names */
function demandNames(permission: Permission, change: BodyChange): void {
  if (keepsSpec(change)) return;
  const { username, groups = [] } = readEntry(change.body) ?? {};
  const users = username === undefined ? [] : [username];
  for (const access of accessToNames({ users, groups })) permission.demand(access);
}

/**
 * Checks the author of a change of a Subscription or a Tally, for the selection before and after the change:
 *
 * 1. If the selection runs as a service account, the caller may impersonate that account.
 * 2. Otherwise the caller may list and watch what it selects. A caller with limited access needs this only for the
 *    objects within the scope.
 * 3. A caller with limited access may change only Subscriptions and Tallies that this caller wrote. The queue of
 *    another author may contain objects outside the caller's scope.
 *
 * @throws ApiError 403
 */
async function demandTargets(
  { permission, route, author }: Guarded,
  { name: { namespace, name }, body, ...put }: Put,
  store: Store,
): Promise<void> {
  const current = put.current?.body;
  if (keepsTold(current, body)) return;
  const { user } = permission;
  const refuse = (why: string): never => {
    throw forbidden(route.type, name, `User ${JSON.stringify(user.name)} ${why}`);
  };
  for (const one of current === undefined ? [body] : [body, current]) {
    const account = serviceAccountOf(one);
    if (account !== undefined) {
      permission.demand(accessToAccount({ namespace, name: account }));
      continue;
    }
    const told = toldBy(one, namespace);
    const scope = deliveryScope(told, (access) => permission.reach(access));
    if (scope === undefined) continue;
    const only = `may list and watch only objects that match ${scope}`;
    const why = whyNotTold(told, scope);
    if (why !== undefined) refuse(`${only}: ${why}`);
    if ((await store.schema()) < SCOPED_SCHEMA) refuse(`${only}. ${TOO_OLD}`);
    if (current === undefined) continue;
    const before = authorIn(current);
    if (!isSameAuthor(before, author)) {
      const owner = before === undefined ? 'a user with full access' : whoWrote(before);
      refuse(`${only}, and ${owner} owns this ${route.type.kind}; create your own`);
    }
  }
}

const whoWrote = ({ username, uid }: Author): string =>
  `user ${JSON.stringify(username)}${uid === undefined ? '' : ` with the uid ${uid}`}`;

function toldBy({ spec }: JsonObject, own: string): DeliveryGrant {
  const { resource, namespaces = 'Own', namespaceSelector = null } = objectAt(spec);
  const { group = '', resource: target = '' } = objectAt(resource);
  const namespace = namespaceSelector === null && namespaces === 'Own' ? own : '';
  return { apiGroup: String(group), resource: String(target), namespace };
}
