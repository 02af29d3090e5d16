import { type Principal, parsePrincipal } from './principal.ts';

/** The principal, or why it cannot be named like this: words that follow the ARN. */
export type NamedPrincipal = Principal | { readonly fault: string };

/**
 * Reads an ARN by which a setting or an AccessEntry names somebody: an IAM user's, or a role's, whatever its path. One
 * session of a role cannot be named, for its name is anybody's choice.
 */
export function namedPrincipal(text: string): NamedPrincipal {
  const principal = parsePrincipal(text);
  if (principal === undefined) return { fault: 'is not the ARN of an IAM user or role' };
  if (principal.session === undefined) return principal;
  return {
    fault: `is a role session, and anyone who may assume the role can choose its name. Use the role: ${principal.arn}`,
  };
}
