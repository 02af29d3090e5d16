/** Tokens of OpenID Connect, verified by the keys of their issuers. Loaded only where a deployment names issuers. */
export { createJwtVerifier, type JwtVerifierOptions, type VerifyJwt } from './create-jwt-verifier.ts';
export type { FetchJson, FetchOptions } from './discover-keys.ts';
export { IssuerUnavailableError, KeysGoneError } from './key-errors.ts';
export { createReviewToken, type ReviewedToken, type ReviewToken } from './review-token.ts';
