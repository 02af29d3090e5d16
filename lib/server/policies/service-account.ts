import { type JsonObject, metadataOf } from '../../json/index.ts';
import { AUTHENTICATED } from '../http/index.ts';

const PREFIX = 'system:serviceaccount:';
const USERNAME = /^system:serviceaccount:([^:]+):([^:]+)$/;
const GROUP = 'system:serviceaccounts';

/** How long an object that is being deleted still counts, in ms, as in kube-apiserver: its pods may end their work. */
const LEEWAY = 60_000;

export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

export const accountUsername = ({ namespace, name }: AccountName): string => `${PREFIX}${namespace}:${name}`;

/** The service account that a username belongs to; undefined for other usernames. */
export function accountIn(username: string): AccountName | undefined {
  const [, namespace, name] = USERNAME.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** The groups of every service account of a namespace. */
export const accountGroups = (namespace: string): string[] => [GROUP, `${GROUP}:${namespace}`, AUTHENTICATED];

/**
 * Whether an object has been in deletion, by a finalizer or a grace period, for so long that it no longer counts.
 *
 * @param now in ms since the epoch
 */
export function isOver(body: JsonObject, now: number): boolean {
  const { deletionTimestamp } = metadataOf(body);
  return deletionTimestamp !== undefined && Date.parse(String(deletionTimestamp)) + LEEWAY < now;
}
