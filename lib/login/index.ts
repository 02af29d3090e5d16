/** The login: verifies tokens of `aws eks get-token` and of OIDC issuers. It does not depend on Winnow's objects. */
export { accountIssuer } from './account-issuer.ts';
export { type ExecEntry, execEntry } from './exec-entry.ts';
export { type Identity, identityContext, readIdentity } from './identity.ts';
export type { JwtIssuer } from './jwt-issuer.ts';
export { namedPrincipal } from './named-principal.ts';
export { parseAuthenticationConfiguration } from './parse-authentication-configuration.ts';
export { type Principal, parsePrincipal } from './principal.ts';
export { type Check, RefusedError } from './refused-error.ts';
export { stsHosts } from './sts-hosts.ts';
export { PREFIX as TOKEN_PREFIX } from './token.ts';
export {
  type AskSts,
  createVerifier,
  type StsAnswer,
  type StsRequest,
  StsUnavailableError,
  type Verify,
} from './verifier.ts';
