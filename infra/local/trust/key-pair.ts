import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

/** In PEM, as the certificates are made of it. */
export interface KeyPair {
  readonly publicKey: string;
  readonly key: string;
}

/** By Node's own OpenSSL, which is fast and takes the system's randomness. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey: key } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { publicKey, key };
}
