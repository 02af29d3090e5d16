import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** AWS' own example credentials. */
export const EXAMPLE_CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

export interface SigningOptions {
  readonly clusterId: string;
  /** When it is signed. */
  readonly date: Date;
  readonly host?: string;
  readonly region?: string;
  readonly credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  readonly action?: string;
  readonly method?: string;
  readonly path?: string;
  /** Seconds. */
  readonly expiresIn?: number;
  /** Signed as well. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly service?: string;
}

/** What a presigned request of STS says in its query, its signature included. */
export async function presign(options: SigningOptions): Promise<Record<string, string>> {
  const { region = 'eu-west-1', credentials = EXAMPLE_CREDENTIALS } = options;
  const host = options.host ?? `sts.${region}.amazonaws.com`;
  const service = options.service ?? 'sts';
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const { query } = await signer.presign(
    {
      method: options.method ?? 'GET',
      protocol: 'https:',
      hostname: host,
      path: options.path ?? '/',
      query: { Action: options.action ?? 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host, 'x-k8s-aws-id': options.clusterId, ...options.headers },
    },
    { expiresIn: options.expiresIn ?? 60, signingDate: options.date },
  );
  return query as Record<string, string>;
}

/** The token that an unmodified `aws eks get-token --cluster-name <clusterId>` prints. */
export async function eksToken(options: SigningOptions): Promise<string> {
  const query = await presign(options);
  const host = options.host ?? `sts.${options.region ?? 'eu-west-1'}.amazonaws.com`;
  return encodeToken(`https://${host}/?${printQuery(query)}`);
}

export function encodeToken(url: string): string {
  return `k8s-aws-v1.${Buffer.from(url, 'latin1').toString('base64url')}`;
}

export function decodeToken(token: string): string {
  return Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString('latin1');
}

export function printQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** SHA-256, or HMAC-SHA-256 with a secret, as the signer takes them. */
class Sha256 {
  readonly #hash;

  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}
