import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readIdentity } from '../../lib/login/index.ts';
import { ANONYMOUS, AUTHENTICATED, MASTERS, type UserInfo } from '../../lib/server/index.ts';

type Event = Pick<APIGatewayProxyEvent, 'requestContext'>;

/** The ARN of the IAM principal that asks, whom an AccessEntry may give another name; undefined where it is none. */
export function principalOf({ requestContext }: Event): string | undefined {
  const authorizer = requestContext.authorizer ?? {};
  const { principal } = authorizer;
  return typeof principal === 'string' && readIdentity(authorizer) === undefined ? principal : undefined;
}

/**
 * Who asks, as the front door's authorizer says it (see {@link authorizerContext}); nobody, where it says nothing. What
 * a client sends has no part in it: API Gateway alone fills `requestContext`.
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
