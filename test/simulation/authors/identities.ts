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
/** The group whose members may list and watch what is told. */
export const READERS = 'readers';
/** A group without rights. */
export const OTHERS = 'others';
const AUTHENTICATED = 'system:authenticated';

/**
 * How an author is known: a service account that writes by a token of its own, one that `spec.serviceAccountName` names,
 * an IAM principal with an AccessEntry, or a user of an identity provider, of whom the groups are known that were seen
 * last.
 */
export type Form = 'token' | 'named' | 'principal' | 'user';
export const FORMS: readonly Form[] = ['token', 'principal', 'named', 'user'];

/** Who an author is: everything about it that does not change during a run. */
export interface Identity {
  readonly form: Form;
  /** Of its Subscription and of its Tally. */
  readonly name: string;
  /** What it selects. */
  readonly collection: Collection;
  /** As what it is known where it has no object. */
  readonly username: string;
  /** The service account, or the AccessEntry; a user has none. */
  readonly deciding?: Deciding;
  /** Where it is an AccessEntry: the same without the group that may see anything. */
  readonly without?: Deciding;
  /** As which client it writes. `uid`: that of the service account. */
  caller(uid: string): Pick<Asked, 'user' | 'principal' | 'bound'>;
}

/** The first ones are authors of Secrets. */
export function identityOf(at: number): Identity {
  const form = FORMS[at % FORMS.length] ?? 'token';
  // To a user a Subscription of Secrets is refused.
  const collection = at < FORMS.length && form !== 'user' ? SECRETS : PODS;
  const about = { form, name: `author${at}`, username: `person${at}`, collection };
  if (form === 'user') return { ...about, caller: () => seenIn(about.username, READERS) };
  return form === 'principal' ? { ...about, ...principal(at) } : { ...about, ...account(form, at) };
}

/** As which client a user asks who is in a group now. */
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
    // `spec.serviceAccountName` is written by an administrator.
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
 * The role that lets authors write and see, bound to the names of the accounts, to the group, and to the ARNs of the
 * principals: so a new account of an old name has the right, and a principal without its entry, which names it otherwise,
 * has it as well.
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

/** What says who wrote a Subscription: the uid of the account; of any other author, its form. */
export function writerOf({ form }: Identity, body: JsonObject | undefined): string {
  return isAccount(form) ? uidOf(body) : form;
}

/**
 * Whether the writer is still who it was, and may see what it selects: naively, from the object of its identity as it is
 * stored; undefined: there is none.
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
