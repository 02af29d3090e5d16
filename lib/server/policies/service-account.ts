import { type Collection, collectionOf, type JsonObject, metadataOf } from '../../json/index.ts';
import { AUTHENTICATED } from '../http/index.ts';

export const SERVICE_ACCOUNTS: Collection = collectionOf('', 'serviceaccounts');

const PREFIX = 'system:serviceaccount:';
const USERNAME = /^system:serviceaccount:([^:]+):([^:]+)$/;
const GROUP = 'system:serviceaccounts';

/** As kube-apiserver: what is being deleted may end what it does. In ms. */
const LEEWAY = 60_000;

export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The username of a service account. */
export const accountUsername = ({ namespace, name }: AccountName): string => `${PREFIX}${namespace}:${name}`;

/** The service account that a username is of; undefined: it is no service account's. */
export function accountIn(username: string): AccountName | undefined {
  const [, namespace, name] = USERNAME.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** The groups of every service account of a namespace. */
export const accountGroups = (namespace: string): string[] => [GROUP, `${GROUP}:${namespace}`, AUTHENTICATED];

/**
 * Whether the deletion of an object that a finalizer holds, or that is given time to end, is so long ago that nothing is
 * done in its name any more. `now` in ms since the epoch.
 */
export function isOver(body: JsonObject, now: number): boolean {
  const { deletionTimestamp } = metadataOf(body);
  return deletionTimestamp !== undefined && Date.parse(String(deletionTimestamp)) + LEEWAY < now;
}
