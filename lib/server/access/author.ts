import type { Author, Writer } from '../../delivery/index.ts';
import { type ApiRequest, MASTERS } from '../http/index.ts';
import { readImpersonation } from './read-impersonation.ts';

/**
 * The author of the Subscription or Tally that a request writes. Undefined for members of `system:masters`. If the
 * request carried a service account's token, the author has the account's uid. The uid of an impersonated account is
 * read later ({@link resolveAuthor}).
 */
export function authorOf({ user, principal, bound = [], impersonation }: ApiRequest): Author | undefined {
  const { username, groups } = user;
  if (groups.includes(MASTERS)) return undefined;
  const author = { username, groups: [...groups] };
  if (readImpersonation(impersonation ?? {}) !== undefined) return author;
  if (principal !== undefined) return { ...author, principal };
  const account = bound.find(({ resource }) => resource === 'serviceaccounts');
  return account === undefined ? author : { ...author, uid: account.uid };
}

/**
 * The caller under the effective username. The status names the writer only if the author is another user: a service
 * account that the spec names.
 */
export function writerOf({ user: { username }, principal, impersonation }: ApiRequest): Writer {
  const isOwn = readImpersonation(impersonation ?? {}) === undefined;
  return { username, ...(isOwn && principal !== undefined && { principal }) };
}
