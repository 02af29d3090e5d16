import type { JSONWebKeySet } from 'jose';
import type { JwtIssuer } from '../jwt-issuer.ts';

export interface FetchOptions {
  /** The trusted certificate authority, in PEM; undefined: the public ones. */
  readonly certificateAuthority?: string | undefined;
}

/** Gets a JSON document: no redirects, bounded in time and size. Rejects when there is none. */
export type FetchJson = (url: string, options: FetchOptions) => Promise<unknown>;

/**
 * Fetches the keys that an issuer's discovery document names.
 *
 * @throws {Error} there is no document, it is another issuer's, or its key URL cannot be trusted
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

/**
 * Whether keys from this URL can be trusted: any HTTPS URL, or plain HTTP from the issuer's own origin, which is on
 * loopback.
 */
function isSafe(where: unknown, issuer: string): where is string {
  if (typeof where !== 'string' || !URL.canParse(where)) return false;
  const { protocol, origin, username, password } = new URL(where);
  const secure = protocol === 'https:' || (protocol === 'http:' && origin === new URL(issuer).origin);
  return secure && username === '' && password === '';
}
