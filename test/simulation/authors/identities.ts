import {
  type Collection,
  collectionOf,
  isJsonObject,
  type JsonObject,
  metadataOf,
  objectAt,
} from '../../../lib/json/index.ts';
import { type Deciding, ENTRIES } from '../access/policies.ts';
import type { Asked } from '../api/index.ts';

export const NAMESPACE = 'default';
export const SECRETS: Collection = collectionOf('', 'secrets');
const PODS: Collection = collectionOf('', 'pods');
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const SUBJECTS = 'rbac.authorization.k8s.io';
/** The group whose members may list and watch the selected resources. */
export const READERS = 'readers';
/** A group without rights. */
export const OTHERS = 'others';
const AUTHENTICATED = 'system:authenticated';

/**
 * The kind of an author's identity:
 * - `token`: a service account that writes with its own token.
 * - `named`: a service account that `spec.serviceAccountName` names.
 * - `principal`: an IAM principal with an AccessEntry.
 * - `user`: a user of an identity provider. Winnow knows the groups in which the user was last seen.
 */
export type Form = 'token' | 'named' | 'principal' | 'user';
export const FORMS: readonly Form[] = ['token', 'principal', 'named', 'user'];

/** The identity of an author: everything about it that does not change during a run. */
export interface Identity {
  readonly form: Form;
  /** The name of its Subscription and of its Tally. */
  readonly name: string;
  /** The collection that it selects. */
  readonly collection: Collection;
  /** Its username, for a form without an object. */
  readonly username: string;
  /** The service account, or the AccessEntry; a user has none. */
  readonly deciding?: Deciding;
  /** For an AccessEntry: the same entry without the group that may see the objects. */
  readonly without?: Deciding;
  /** The client as which it writes. `uid`: that of the service account. */
  caller(uid: string): Pick<Asked, 'user' | 'principal' | 'bound'>;
}

/** The first authors select Secrets, except a user. */
export function identityOf(at: number): Identity {
  const form = FORMS[at % FORMS.length] ?? 'token';
  // Winnow refuses a user's Subscription of Secrets.
  const collection = at < FORMS.length && form !== 'user' ? SECRETS : PODS;
  const about = { form, name: `author${at}`, username: `person${at}`, collection };
  if (form === 'user') return { ...about, caller: () => seenIn(about.username, READERS) };
  return form === 'principal' ? { ...about, ...principal(at) } : { ...about, ...account(form, at) };
}

/** The client as which a user sends requests while it is in a group. */
export const seenIn = (username: string, group: string): Pick<Asked, 'user'> => ({
  user: { username, groups: [group, AUTHENTICATED] },
});

function account(form: Form, at: number): Required<Pick<Identity, 'deciding'>> & Pick<Identity, 'caller'> {
  const name = accountName(at);
  const url = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${name}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${NAMESPACE}`, AUTHENTICATED];
  return {
    deciding: {
      collection: collectionOf('', 'serviceaccounts'),
      sk: `${NAMESPACE}/${name}`,
      url,
      body: (_, token) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name, annotations: { token } },
      }),
    },
    // An administrator writes `spec.serviceAccountName`.
    caller: (uid) =>
      form === 'named'
        ? {}
        : {
            user: { username: `system:serviceaccount:${NAMESPACE}:${name}`, uid, groups },
            bound: [{ resource: 'serviceaccounts', namespace: NAMESPACE, name, uid }],
          },
  };
}

function principal(at: number): Required<Pick<Identity, 'deciding' | 'without'>> & Pick<Identity, 'caller'> {
  const arn = arnOf(at);
  const entry = (groups: readonly string[]): Deciding => ({
    collection: ENTRIES,
    sk: `/author${at}`,
    url: `/apis/winnow.dev/v1/accessentries/author${at}`,
    body: (_, token) => ({
      apiVersion: 'winnow.dev/v1',
      kind: 'AccessEntry',
      metadata: { name: `author${at}`, annotations: { token } },
      spec: { principal: arn, username: `author${at}`, groups: [...groups] },
    }),
  });
  return {
    deciding: entry([READERS]),
    without: entry([OTHERS]),
    caller: () => ({ user: { username: arn, groups: [AUTHENTICATED] }, principal: arn }),
  };
}

export const accountName = (at: number): string => `robot${at}`;
const arnOf = (at: number) => `arn:aws:iam::111122223333:role/Author${at}`;

/**
 * The requests that create the role that lets authors write and see objects. It is bound to the names of the accounts,
 * to the group, and to the ARNs of the principals. So a new account of an old name has the right. A principal has it
 * without its entry too, which gives it another name.
 */
export function bindings(count: number): readonly Asked[] {
  const ats = Array.from({ length: count }, (_, at) => at);
  const subjects = [
    { kind: 'Group', apiGroup: SUBJECTS, name: READERS },
    ...ats.map((at) => ({ kind: 'ServiceAccount', namespace: NAMESPACE, name: accountName(at) })),
    ...ats.map((at) => ({ kind: 'User', apiGroup: SUBJECTS, name: arnOf(at) })),
  ];
  const told = ['subscriptions', 'tallies'];
  const rules = [
    { apiGroups: ['winnow.dev'], resources: told, verbs: ['get', 'create', 'update', 'patch'] },
    { apiGroups: [''], resources: ['secrets', 'pods'], verbs: ['get', 'list', 'watch'] },
  ];
  return [
    { method: 'POST', url: `${RBAC}/clusterroles`, body: { metadata: { name: 'author' }, rules } },
    {
      method: 'POST',
      url: `${RBAC}/namespaces/${NAMESPACE}/rolebindings`,
      body: {
        metadata: { name: 'authors' },
        roleRef: { apiGroup: SUBJECTS, kind: 'ClusterRole', name: 'author' },
        subjects,
      },
    },
  ];
}

/** The mark of the writer of a Subscription: the uid of the account; for any other author, its form. */
export function writerOf({ form }: Identity, body: JsonObject | undefined): string {
  return isAccount(form) ? uidOf(body) : form;
}

/**
 * Whether the writer still has its identity and may see the selected objects. Naive: reads the stored object of the
 * identity; undefined: there is none.
 */
export function isAlive({ form }: Identity, writer: string, body: JsonObject | undefined): boolean {
  if (body === undefined) return false;
  if (isAccount(form)) return uidOf(body) === writer;
  const { groups } = objectAt(body.spec);
  return Array.isArray(groups) && groups.includes(READERS);
}

const isAccount = (form: Form) => form === 'token' || form === 'named';

export const uidOf = (body: JsonObject | undefined): string =>
  isJsonObject(body) ? String(metadataOf(body).uid) : '';
