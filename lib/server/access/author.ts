import type { Author, Writer } from '../../delivery/index.ts';
import { type ApiRequest, MASTERS } from '../http/index.ts';
import { readImpersonation } from './read-impersonation.ts';

/**
 * The user whose rights limit the delivery of what a request writes. Undefined for members of `system:masters`. A
 * service account has its uid if the request carried a token of it. For an impersonated account, {@link resolveAuthor}
 * reads the uid.
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
 * The caller under the effective username. It is stored if the author is another user: a service account that the spec
 * names.
 */
export function writerOf({ user: { username }, principal, impersonation }: ApiRequest): Writer {
  const isOwn = readImpersonation(impersonation ?? {}) === undefined;
  return { username, ...(isOwn && principal !== undefined && { principal }) };
}
