import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import type { JWK } from 'jose';
import { KeysGoneError } from '../lib/login/oidc/index.ts';

/** The KMS key that signs the tokens of service accounts. Its private part never leaves KMS. */
export interface TokenKey {
  /** Signs a JWT with these claims. Only the function `issue` has the permission. */
  sign(claims: object): Promise<string>;
  /** @throws {KeysGoneError} the key is disabled or deleted */
  publicKey(): Promise<JWK>;
}

/** The errors of KMS for a key that no longer signs. */
const GONE = new Set(['DisabledException', 'KMSInvalidStateException', 'NotFoundException']);

const ALGORITHM = 'RS256';
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a client of a KMS key. The last part of its ARN is the `kid` of tokens. */
export function createTokenKey(arn: string): TokenKey {
  const client = new KMSClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  const kid = arn.split('/').at(-1) ?? arn;
  return {
    async sign(claims) {
      const text = `${encoded({ alg: ALGORITHM, kid })}.${encoded(claims)}`;
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: arn,
          Message: Buffer.from(text),
          MessageType: 'RAW',
          SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
        }),
      );
      if (Signature === undefined) throw new Error('KMS returned no signature');
      return `${text}.${Buffer.from(Signature).toString('base64url')}`;
    },
    async publicKey() {
      const asked = client.send(new GetPublicKeyCommand({ KeyId: arn }));
      const { PublicKey } = await asked.catch((cause: unknown) => {
        if (!(cause instanceof Error) || !GONE.has(cause.name)) throw cause;
        throw new KeysGoneError(`the key ${arn} is disabled or deleted: ${cause.name}`, { cause });
      });
      if (PublicKey === undefined) throw new Error('KMS returned no key');
      const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
      return { ...(key.export({ format: 'jwk' }) as JWK), kid, alg: ALGORITHM, use: 'sig' };
    },
  };
}
