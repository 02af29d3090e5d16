import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readIdentity } from '../../lib/login/index.ts';
import { ANONYMOUS, AUTHENTICATED, MASTERS, type UserInfo } from '../../lib/server/index.ts';

type Event = Pick<APIGatewayProxyEvent, 'requestContext'>;

/**
 * The ARN of the caller's IAM principal; undefined if the caller is not one. An AccessEntry may give it another name.
 */
export function principalOf({ requestContext }: Event): string | undefined {
  const authorizer = requestContext.authorizer ?? {};
  const { principal } = authorizer;
  return typeof principal === 'string' && readIdentity(authorizer) === undefined ? principal : undefined;
}

/**
 * The caller, from the authorizer's context (see {@link authorizerContext}); anonymous without one. Clients cannot
 * forge it, because only API Gateway fills `requestContext`.
 */
export function userOf(event: Event): UserInfo {
  const authorizer = event.requestContext.authorizer ?? {};
  const identity = readIdentity(authorizer);
  if (identity !== undefined) {
    const { expires: _expires, bound: _bound, groups, ...named } = identity;
    return { ...named, groups: [...groups, AUTHENTICATED] };
  }
  const principal = principalOf(event);
  if (principal === undefined) return ANONYMOUS;
  const { session, administrator } = authorizer;
  const groups = administrator === 'true' ? [MASTERS, AUTHENTICATED] : [AUTHENTICATED];
  return {
    username: principal,
    groups,
    ...(typeof session === 'string' && { extra: { sessionName: [session] } }),
  };
}
