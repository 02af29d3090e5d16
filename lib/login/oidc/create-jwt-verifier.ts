import { decodeJwt, errors, type JWK, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../platform/index.ts';
import type { Identity } from '../identity.ts';
import type { JwtIssuer } from '../jwt-issuer.ts';
import { type Check, RefusedError } from '../refused-error.ts';
import { accountIdentity } from './account-identity.ts';
import { discoverKeys, type FetchJson } from './discover-keys.ts';
import { identityOf } from './identity-of.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { IssuerUnavailableError } from './key-errors.ts';

/**
 * Verifies a token and returns its user.
 *
 * @throws {RefusedError} the token is not valid for a login.
 * @throws {IssuerUnavailableError} the issuer's keys are unavailable now.
 */
export type VerifyJwt = (token: string) => Promise<Identity>;

/** The user of a token, and those of the requested audiences that it is for. */
export interface Vouched {
  readonly identity: Identity;
  readonly audiences: readonly string[];
}

/**
 * Verifies a token for any of the audiences.
 *
 * @throws {RefusedError} the token is not valid, or is for other audiences.
 * @throws {IssuerUnavailableError} the issuer's keys are unavailable now.
 */
export type VouchFor = (token: string, audiences: readonly string[]) => Promise<Vouched>;

export interface JwtVerifierOptions {
  readonly issuers: readonly JwtIssuer[];
  /**
   * The issuer of service account tokens; undefined: none are accepted. `publicKey` rejects with a
   * {@link KeysGoneError} where the key no longer exists.
   */
  readonly accounts?: { readonly issuer: string; publicKey(): Promise<JWK> } | undefined;
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

/** The algorithms that kube-apiserver accepts. All of them sign with a key pair, so a public key cannot sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];
/** The longest token, in characters. API Gateway accepts headers of 10 KB in total. */
const MAXIMUM_LENGTH = 9_216;
/** In seconds: how far in the future a token's times may lie. The expiry gets no such tolerance. */
const SKEW = 60;

/**
 * Creates the verifier of the issuers' tokens. Each token must be signed by its issuer's own keys and be for its
 * audiences.
 */
export function createJwtVerifier(options: JwtVerifierOptions): VerifyJwt {
  const find = findSource(options);
  return async (token) => {
    const source = find(token);
    return identify(token, source, source.audiences, options);
  };
}

/**
 * Creates the check of the same tokens for other audiences. A service account's token names its audiences. Any other
 * token is for this server, whose audience is `self`.
 */
export function createVouching(options: JwtVerifierOptions, self: string): VouchFor {
  const find = findSource(options);
  return async (token, asked) => {
    const source = find(token);
    if (source.issuer === self) {
      const identity = await identify(token, source, asked, options);
      return { identity, audiences: audiencesOf(token).filter((one) => asked.includes(one)) };
    }
    const identity = await identify(token, source, source.audiences, options);
    if (!asked.includes(self)) throw new RefusedError('audience');
    return { identity, audiences: [self] };
  };
}

/** Returns the function that finds a token's issuer. @throws {RefusedError} no accepted issuer issued the token */
function findSource(options: JwtVerifierOptions): (token: string) => Source {
  const known = new Map(sourcesOf(options).map((source) => [source.issuer, source]));
  return (token) => {
    if (token.length > MAXIMUM_LENGTH) throw new RefusedError('length');
    const found = known.get(issuerOf(token));
    if (found === undefined) throw new RefusedError('issuer');
    return found;
  };
}

async function identify(
  token: string,
  source: Source,
  audiences: readonly string[],
  { clock }: Pick<JwtVerifierOptions, 'clock'>,
): Promise<Identity> {
  const claims = await verified(token, { ...source, audiences }, clock.now());
  const expires = Number(claims.exp) * 1_000;
  if (expires <= clock.now()) throw new RefusedError('expires');
  return { ...source.identity(claims), expires };
}

/** An issuer, and how its tokens are verified. */
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

/** The issuer that a token names, before verification. It only selects the keys for the verification. */
export function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? '';
  } catch {
    throw new RefusedError('encoding');
  }
}

/** The audiences of a token. */
export function audiencesOf(token: string): readonly string[] {
  return [decodeJwt(token).aud ?? []].flat();
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

/** The check that the token failed, for the log. */
function checkOf(error: unknown): Check {
  if (error instanceof errors.JWTExpired) return 'expires';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'aud' ? 'audience' : 'claims';
  // `key` also covers invalid keys: too short, or of another kind than they claim.
  return UNREADABLE.some((kind) => error instanceof kind) ? 'encoding' : 'key';
}
