import { type JsonObject, objectAt } from '../../json/index.ts';
import { namedPrincipal } from '../../login/index.ts';
import { AUTHENTICATED, type UserInfo } from '../http/index.ts';

/** Prefix of names that only the server assigns. */
const SYSTEM = 'system:';

/** The parts of an AccessEntry that determine the user. */
export interface AccessEntry {
  /** The ARN, as {@link namedPrincipal} prints it. */
  readonly principal: string;
  /** Undefined: the principal's ARN. */
  readonly username: string | undefined;
  readonly groups: readonly string[];
}

/** Reads an AccessEntry; undefined if its principal is not valid. */
export function readEntry(body: JsonObject): AccessEntry | undefined {
  const { principal, username, groups } = objectAt(body.spec);
  const named = namedPrincipal(String(principal));
  if ('fault' in named) return undefined;
  return {
    principal: named.arn,
    username: typeof username === 'string' && isGiven(username) ? username : undefined,
    groups: (Array.isArray(groups) ? groups : []).map(String).filter(isGiven),
  };
}

const isGiven = (name: string) => name !== '' && !name.startsWith(SYSTEM);

/**
 * The user that an entry assigns to a principal. Its extra fields hold the principal and what the login knows of the
 * session.
 */
export function userOf({ principal, username = principal, groups }: AccessEntry, asked: UserInfo): UserInfo {
  return {
    username,
    groups: [...new Set([...groups, AUTHENTICATED])],
    extra: { ...asked.extra, canonicalArn: [principal] },
  };
}
