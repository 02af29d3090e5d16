import { decodeJwt, errors, type JWK, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Check, type Identity, type JwtIssuer, RefusedError } from '../login/index.ts';
import type { Clock } from '../platform/index.ts';
import { accountIdentity } from './account-identity.ts';
import { discoverKeys, type FetchJson } from './discover-keys.ts';
import { identityOf } from './identity-of.ts';
import { IssuerKeys, IssuerUnavailableError } from './issuer-keys.ts';

/**
 * Whose token it is.
 *
 * @throws {RefusedError} it is no login.
 * @throws {IssuerUnavailableError} nobody can say now.
 */
export type VerifyJwt = (token: string) => Promise<Identity>;

export interface JwtVerifierOptions {
  readonly issuers: readonly JwtIssuer[];
  /** Of tokens of service accounts; without it there are none. `publicKey` rejects with a {@link KeysGoneError} where the key is no more. */
  readonly accounts?: { readonly issuer: string; publicKey(): Promise<JWK> } | undefined;
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

/** Those of kube-apiserver, all of them signatures by a key pair: nobody can sign with what is public. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
/** API Gateway takes headers of 10 KB altogether. */
const MAXIMUM_LENGTH = 9_216;
/** Seconds by which a token may be of the future: of its end there is no such grace. */
const SKEW = 60;

/** Verifies tokens of the issuers, each with that issuer's own keys and for its audiences. */
export function createJwtVerifier(options: JwtVerifierOptions): VerifyJwt {
  const { clock } = options;
  const known = new Map(sourcesOf(options).map((source) => [source.issuer, source]));
  return async (token) => {
    if (token.length > MAXIMUM_LENGTH) throw new RefusedError('length');
    const found = known.get(issuerOf(token));
    if (found === undefined) throw new RefusedError('issuer');
    const claims = await verified(token, found, clock.now());
    const expires = Number(claims.exp) * 1_000;
    if (expires <= clock.now()) throw new RefusedError('expires');
    return { ...found.identity(claims), expires };
  };
}

/** Who issues tokens, and how they are taken. */
interface Source {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly find: JWTVerifyGetKey;
  identity(claims: JWTPayload): Identity;
}

function sourcesOf({ issuers, accounts, fetchJson, clock }: JwtVerifierOptions): Source[] {
  const sources = issuers.map((issuer): Source => {
    const { url, audiences } = issuer;
    const { find } = new IssuerKeys({ owner: url, fetch: () => discoverKeys(issuer, fetchJson), clock });
    return { issuer: url, audiences, find, identity: (claims) => identityOf(claims, issuer) };
  });
  if (accounts === undefined) return sources;
  const { issuer, publicKey } = accounts;
  const fetch = async () => ({ keys: [await publicKey()] });
  const { find } = new IssuerKeys({ owner: issuer, fetch, clock });
  return [...sources, { issuer, audiences: [issuer], find, identity: accountIdentity }];
}

/** What the token says of itself: nothing but whose keys it is verified with hangs on it. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    throw new RefusedError('encoding');
  }
}

async function verified(
  token: string,
  { issuer, audiences, find }: Source,
  now: number,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, find, {
      issuer,
      audience: [...audiences],
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: SKEW,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (error instanceof IssuerUnavailableError) throw error;
    throw new RefusedError(checkOf(error));
  }
}

const UNREADABLE = [errors.JWSInvalid, errors.JWTInvalid, errors.JOSENotSupported];

/** Which check refused it, for the log. */
function checkOf(error: unknown): Check {
  if (error instanceof errors.JWTExpired) return 'expires';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'aud' ? 'audience' : 'claims';
  // Also a key that is none: too short, or of another kind than it says.
  return UNREADABLE.some((kind) => error instanceof kind) ? 'encoding' : 'key';
}
