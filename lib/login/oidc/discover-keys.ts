import type { JSONWebKeySet } from 'jose';
import type { JwtIssuer } from '../jwt-issuer.ts';

export interface FetchOptions {
  /** Whose certificates are trusted, in PEM; undefined: those that everybody trusts. */
  readonly certificateAuthority?: string | undefined;
}

/** Gets a document of JSON: no redirects, bounded in time and size. Rejects when there is none. */
export type FetchJson = (url: string, options: FetchOptions) => Promise<unknown>;

/**
 * The keys that an issuer's discovery document names.
 *
 * @throws {Error} there is none, or it is of another issuer, or names keys that cannot be trusted
 */
export async function discoverKeys(
  { url, certificateAuthority }: JwtIssuer,
  fetchJson: FetchJson,
): Promise<JSONWebKeySet> {
  const discovery = await fetchJson(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    certificateAuthority,
  });
  const { issuer: named, jwks_uri: where } = discovery as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== url) throw new Error('the discovery document is of another issuer');
  if (!isSafe(where, url)) throw new Error('the discovery document names no keys that can be trusted');
  return (await fetchJson(where, { certificateAuthority })) as JSONWebKeySet;
}

/** HTTPS, wherever; without it only where the issuer itself is: on loopback. */
function isSafe(where: unknown, issuer: string): where is string {
  if (typeof where !== 'string' || !URL.canParse(where)) return false;
  const { protocol, origin, username, password } = new URL(where);
  const secure = protocol === 'https:' || (protocol === 'http:' && origin === new URL(issuer).origin);
  return secure && username === '' && password === '';
}
