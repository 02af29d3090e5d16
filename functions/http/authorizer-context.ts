import { identityContext } from '../../lib/login/index.ts';
import type { Admission, PrincipalAdmission } from './admit.ts';

/** By which name whoever is let in, or is not, is told to people. */
export const nameOf = (admission: Admission): string =>
  admission.identity === undefined ? admission.principal.arn : admission.identity.username;

/** What the functions behind the login are told of whoever was let in. */
export const contextOf = (admission: Admission): Record<string, string> =>
  admission.identity === undefined
    ? authorizerContext(admission)
    : { ...identityContext(admission.identity) };

/**
 * What the functions behind the login are told of whom it let in: `requestContext.authorizer` of their events, in
 * which API Gateway makes everything text. `principal` is of IAM always; `administrator` is there for who is one.
 */
export function authorizerContext({ principal, administrator }: PrincipalAdmission): Record<string, string> {
  const { arn, session } = principal;
  return {
    principal: arn,
    ...(administrator && { administrator: 'true' }),
    ...(session !== undefined && { session }),
  };
}
