import { identityContext } from '../../lib/login/index.ts';
import type { Admission, PrincipalAdmission } from './admit.ts';

/** The name of a user or principal in messages. */
export const nameOf = (admission: Admission): string =>
  admission.identity === undefined ? admission.principal.arn : admission.identity.username;

/** The authorizer's context for the functions behind the login. */
export const contextOf = (admission: Admission): Record<string, string> =>
  admission.identity === undefined
    ? authorizerContext(admission)
    : { ...identityContext(admission.identity) };

/**
 * The authorizer's context for an AWS principal. API Gateway passes it to the functions as
 * `requestContext.authorizer`, with every value as a string. `principal` is always an IAM ARN; only administrators
 * have `administrator`.
 */
export function authorizerContext({ principal, administrator }: PrincipalAdmission): Record<string, string> {
  const { arn, session } = principal;
  return {
    principal: arn,
    ...(administrator && { administrator: 'true' }),
    ...(session !== undefined && { session }),
  };
}
