import { type JsonObject, objectAt } from '../../json/index.ts';
import { namedPrincipal } from '../../login/index.ts';
import { AUTHENTICATED, type UserInfo } from '../http/index.ts';

/** Names that begin so are the server's to give. */
const SYSTEM = 'system:';

/** What an AccessEntry says, as far as it decides. */
export interface AccessEntry {
  /** As {@link namedPrincipal} spells it. */
  readonly principal: string;
  /** Undefined: the principal's ARN. */
  readonly username: string | undefined;
  readonly groups: readonly string[];
}

/** Undefined of a body that was never validated: it names nobody. */
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

/** The user that an entry makes of a principal: it is told whose it was, and whatever the login knows of the session. */
export function userOf({ principal, username = principal, groups }: AccessEntry, asked: UserInfo): UserInfo {
  return {
    username,
    groups: [...new Set([...groups, AUTHENTICATED])],
    extra: { ...asked.extra, canonicalArn: [principal] },
  };
}
