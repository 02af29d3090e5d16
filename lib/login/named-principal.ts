import { type Principal, parsePrincipal } from './principal.ts';

/** The principal, or the fault of the ARN: words that follow the ARN in a message. */
export type NamedPrincipal = Principal | { readonly fault: string };

/**
 * Reads the ARN of a principal in a setting or an AccessEntry: an IAM user's or a role's, with any path. The ARN of a
 * role session is refused, because anyone who may assume the role can choose the session's name.
 */
export function namedPrincipal(text: string): NamedPrincipal {
  const principal = parsePrincipal(text);
  if (principal === undefined) return { fault: 'is not the ARN of an IAM user or role' };
  if (principal.session === undefined) return principal;
  return {
    fault: `is a role session, and anyone who may assume the role can choose its name. Use the role: ${principal.arn}`,
  };
}
