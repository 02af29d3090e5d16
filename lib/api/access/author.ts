import type { Author } from '../../watch/index.ts';
import { type ApiRequest, MASTERS } from '../http/index.ts';
import { readImpersonation } from './read-impersonation.ts';

/** By whose rights what a request writes is told; undefined of who may do everything. */
export function authorOf({ user, principal, impersonation }: ApiRequest): Author | undefined {
  const { username, groups } = user;
  if (groups.includes(MASTERS)) return undefined;
  const isHimself = principal !== undefined && readImpersonation(impersonation ?? {}) === undefined;
  return { username, groups: [...groups], ...(isHimself && { principal }) };
}
