import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listen } from '../listen.ts';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A token of a user; `header` overrides the header that the key gives. */
export function signed(
  claims: JWTPayload,
  { kid, alg, privateKey }: SigningKey,
  header = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ kid, alg, ...header })
    .sign(privateKey, { crit: { x: true } });
}

/** An issuer of OpenID Connect: discovery and keys, over HTTP on loopback. */
export class Issuer {
  readonly url: string;
  /** The received requests, oldest first. */
  readonly asked: string[] = [];
  /** The keys that it publishes. */
  keys: readonly JWK[] = [];
  /** What its discovery document says beside, or instead. */
  discovery: object = {};
  /** Answers 503 while it is true. */
  isDown = false;
  readonly stop: () => Promise<void>;

  static async start(): Promise<Issuer> {
    const answer: { of?: (path: string) => object | undefined } = {};
    const server = createServer((request, response) => {
      const body = answer.of?.(request.url ?? '');
      response.writeHead(body === undefined ? 503 : 200).end(JSON.stringify(body));
    });
    const { url, stop } = await listen(server);
    const issuer = new Issuer(url, stop);
    answer.of = (path) => issuer.#answer(path);
    return issuer;
  }

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.stop = stop;
  }

  #answer(path: string): object | undefined {
    this.asked.push(path);
    if (this.isDown) return undefined;
    return path === '/keys'
      ? { keys: this.keys }
      : { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.discovery };
  }
}
