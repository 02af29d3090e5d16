import { accountIssuer, type JwtIssuer } from '../lib/login/index.ts';
import type { JwtVerifierOptions } from '../lib/login/oidc/index.ts';
import { systemClock as clock } from '../lib/platform/index.ts';
import { optional, required } from './environment/index.ts';
import { fetchJson } from './http/index.ts';
import type { TokenKey } from './token-key.ts';

type Accounts = NonNullable<JwtVerifierOptions['accounts']>;

/** The options of a JWT verifier: the issuers in the environment, and `accounts` for tokens of service accounts. */
export function jwtOptions<Known extends Accounts | undefined>(accounts: Known) {
  const issuers: readonly JwtIssuer[] = JSON.parse(optional('issuers') ?? '[]');
  return { issuers, accounts, fetchJson, clock };
}

/** The issuer and the public key of tokens of service accounts. */
export function accountsOf(tokenKey: Pick<TokenKey, 'publicKey'>): Accounts {
  return { issuer: accountIssuer(required('clusterId')), publicKey: () => tokenKey.publicKey() };
}
