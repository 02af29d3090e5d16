import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { stsHosts, TOKEN_PREFIX } from '../../lib/login/index.ts';

export interface TokenOptions {
  readonly clusterId: string;
  /** The AWS partition, such as `aws`. */
  readonly partition: string;
  readonly region: string;
  readonly credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** The time of the signature. */
  readonly date: Date;
}

/**
 * Creates the token that `aws eks get-token --cluster-name <clusterId>` would print.
 *
 * @throws {Error} the partition has no STS in the region.
 */
export async function makeToken(options: TokenOptions): Promise<string> {
  const { clusterId, partition, region, credentials, date } = options;
  const [hostname] = [...stsHosts(partition)].find(([, its]) => its === region) ?? [];
  if (hostname === undefined) throw new Error(`no STS of ${partition} is known in ${region}`);
  const signer = new SignatureV4({ service: 'sts', region, credentials, sha256: Sha256 });
  const request = {
    method: 'GET',
    protocol: 'https:',
    hostname,
    path: '/',
    query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
    headers: { host: hostname, 'x-k8s-aws-id': clusterId },
  };
  const { query = {} } = await signer.presign(request, { expiresIn: 60, signingDate: date });
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return TOKEN_PREFIX + Buffer.from(`https://${hostname}/?${text.join('&')}`, 'latin1').toString('base64url');
}

/** SHA-256, or HMAC-SHA-256 with a secret, in the form that the signer expects. */
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
    throw new Error('this hash cannot be reused');
  }
}
