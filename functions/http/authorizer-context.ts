import type { Principal } from '../../lib/login/index.ts';

/** What the functions behind the login are told of whom it let in: `requestContext.authorizer` of their events. */
export function authorizerContext({ arn, session }: Principal): Record<string, string> {
  return { principal: arn, ...(session === undefined ? {} : { session }) };
}
