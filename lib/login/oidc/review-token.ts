import type { Identity } from '../identity.ts';
import { type Check, RefusedError } from '../refused-error.ts';
import { audiencesOf, createVouching, issuerOf, type JwtVerifierOptions } from './create-jwt-verifier.ts';

/** The options of a token review: the accepted issuers, service accounts among them. */
export type ReviewOptions = JwtVerifierOptions & { readonly accounts: object };

/** The result of a review, before the check that the token's bound objects still exist. */
export type ReviewedToken =
  | { readonly identity: Identity; readonly audiences: readonly string[] }
  | { readonly error: string };

/**
 * Reviews a token. Rejects where the issuer's keys are unavailable.
 *
 * @throws {IssuerUnavailableError}
 */
export type ReviewToken = (token: string, audiences: readonly string[]) => Promise<ReviewedToken>;

/** Creates the review of accepted tokens. For a refused token, the result gives the reason in Kubernetes' words. */
export function createReviewToken(options: ReviewOptions): ReviewToken {
  const { issuer: self } = options.accounts;
  const vouchFor = createVouching(options, self);
  return async (token, given) => {
    const asked = given.length === 0 ? [self] : given;
    try {
      return await vouchFor(token, asked);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const say = WORDS[error.check];
      if (say === undefined || issuerOf(token) !== self) return { error: INVALID };
      return { error: `[${INVALID}, ${say(token, asked)}]` };
    }
  };
}

const INVALID = 'invalid bearer token';

/** The texts for a service account's token. k8s.io/kubernetes/pkg/serviceaccount */
const WORDS: Partial<Record<Check, (token: string, asked: readonly string[]) => string>> = {
  expires: () => 'service account token has expired',
  audience: (token, asked) =>
    `token audiences ${quoted(audiencesOf(token))} is invalid for the target audiences ${quoted(asked)}`,
};

const quoted = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
