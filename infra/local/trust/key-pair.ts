import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

/** A key pair as PEM. */
export interface KeyPair {
  readonly publicKey: string;
  readonly key: string;
}

/** Creates a key pair with Node's OpenSSL, which is fast and uses the system's random numbers. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey: key } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { publicKey, key };
}
