import { IssuerUnavailableError, type ReviewToken } from '../lib/login/oidc/index.ts';
import { ApiError, type TokenIssuer } from '../lib/server/index.ts';
import type { TokenKey } from './token-key.ts';

/**
 * Creates the review of tokens of service accounts and of the deployment's issuers. It returns the owner of a token.
 */
export function reviewTokens(tokenKey: TokenKey): TokenIssuer['review'] {
  let loading: Promise<ReviewToken> | undefined;
  return async (token, audiences) => {
    loading ??= load(tokenKey);
    try {
      return await (await loading)(token, audiences);
    } catch (error) {
      if (!(error instanceof IssuerUnavailableError)) throw error;
      throw new ApiError(503, 'ServiceUnavailable', 'the token cannot be checked now', {
        retryAfterSeconds: 1,
      });
    }
  };
}

async function load(tokenKey: TokenKey): Promise<ReviewToken> {
  const loaded = [import('../lib/login/oidc/index.ts'), import('./jwt-options.ts')] as const;
  const [{ createReviewToken }, { accountsOf, jwtOptions }] = await Promise.all(loaded);
  return createReviewToken(jwtOptions(accountsOf(tokenKey)));
}
