import { createVerifier, parsePrincipal } from '../lib/login/index.ts';
import type { VerifyJwt } from '../lib/login/oidc/index.ts';
import { systemClock as clock, ENVIRONMENT } from '../lib/platform/index.ts';
import { optional, required } from './environment/index.ts';
import { type Admit, type AdmitOptions, createAdmit, createAskSts } from './http/index.ts';

/**
 * Creates the login of this deployment from the environment.
 *
 * @throws {Error} a variable is not set; the function then fails at load
 */
export function createLogin(heard: Pick<AdmitOptions, 'logger' | 'metrics'>): Admit {
  const verify = createVerifier({
    clusterId: required('clusterId'),
    partition: required('partition'),
    ask: createAskSts({ endpoint: process.env[ENVIRONMENT.stsEndpoint] }),
    clock,
  });
  const [principals, members] = [namesIn(required('principals')), namesIn(optional('members') ?? '[]')];
  return createAdmit({ ...heard, verify, verifyJwt: jwtVerifier(), principals, members });
}

/** Parses a JSON list of names. The ARN of a role of the deployer's own app may have a path, which is removed. */
function namesIn(json: string): ReadonlySet<string> {
  const named: readonly string[] = JSON.parse(json);
  return new Set(named.map((name) => parsePrincipal(name)?.arn ?? name));
}

/** The verifier of tokens of the deployment's issuers; undefined if it has none. The first token loads it. */
function jwtVerifier(): VerifyJwt | undefined {
  const [issuers, tokenKey] = [optional('issuers'), optional('tokenKey')];
  if (issuers === undefined && tokenKey === undefined) return undefined;
  let loading: Promise<VerifyJwt> | undefined;
  return async (token) => {
    loading ??= load(tokenKey);
    return (await loading)(token);
  };
}

async function load(tokenKey: string | undefined): Promise<VerifyJwt> {
  const loaded = [import('../lib/login/oidc/index.ts'), import('./jwt-options.ts')] as const;
  const [{ createJwtVerifier }, { accountsOf, jwtOptions }] = await Promise.all(loaded);
  if (tokenKey === undefined) return createJwtVerifier(jwtOptions(undefined));
  const { createTokenKey } = await import('./token-key.ts');
  return createJwtVerifier(jwtOptions(accountsOf(createTokenKey(tokenKey))));
}
