import type { Identity } from '../identity.ts';
import { type Check, RefusedError } from '../refused-error.ts';
import { audiencesOf, createVouching, issuerOf, type JwtVerifierOptions } from './create-jwt-verifier.ts';

/** Whose tokens are taken, those of service accounts among them. */
export type ReviewOptions = JwtVerifierOptions & { readonly accounts: object };

/** What is said of a token, before it is looked whether what it stands by is there still. */
export type ReviewedToken =
  | { readonly identity: Identity; readonly audiences: readonly string[] }
  | { readonly error: string };

/**
 * Names the user of a token to the reviewer. It rejects where nobody can say that now.
 *
 * @throws {IssuerUnavailableError}
 */
export type ReviewToken = (token: string, audiences: readonly string[]) => Promise<ReviewedToken>;

/** Reviews the tokens that are taken, and says of one that is not why, in Kubernetes' words. */
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

/** Of a service account's token. k8s.io/kubernetes/pkg/serviceaccount */
const WORDS: Partial<Record<Check, (token: string, asked: readonly string[]) => string>> = {
  expires: () => 'service account token has expired',
  audience: (token, asked) =>
    `token audiences ${quoted(audiencesOf(token))} is invalid for the target audiences ${quoted(asked)}`,
};

const quoted = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
