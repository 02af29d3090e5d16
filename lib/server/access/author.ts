import type { Author, Writer } from '../../delivery/index.ts';
import { type ApiRequest, MASTERS } from '../http/index.ts';
import { readImpersonation } from './read-impersonation.ts';

/**
 * By whose rights what a request writes is told; undefined of who may do everything. A service account has its uid where
 * the request brought a token of it; whoever is answered as one has to look for it.
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

/** The caller that a request is answered as: stored where the author is another one, a service account that is named. */
export function writerOf({ user: { username }, principal, impersonation }: ApiRequest): Writer {
  const isOwn = readImpersonation(impersonation ?? {}) === undefined;
  return { username, ...(isOwn && principal !== undefined && { principal }) };
}
