import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import type { TokenCipher } from '../http/index.ts';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts and authenticates a text that a client sends back later, together with its subject and the caller's scope.
 * Equal texts give equal results, because the nonce is a digest of the text under the key.
 */
export class SecretSeal implements TokenCipher {
  readonly #key: Buffer;
  readonly #scope: string;

  /** @param secret known to the server only; @param scope the caller's visible scope */
  constructor(secret: string, scope: string) {
    this.#key = createHash('sha256').update(secret).digest();
    this.#scope = scope;
  }

  close(text: string, about: string): string {
    const nonce = createHmac('sha256', this.#key)
      .update(this.#about(about))
      .update(text)
      .digest()
      .subarray(0, NONCE);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(this.#about(about));
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  open(sealed: string, about: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE + TAG) return undefined;
    const [nonce, tag] = [bytes.subarray(0, NONCE), bytes.subarray(NONCE, NONCE + TAG)];
    const decipher = createDecipheriv(CIPHER, this.#key, nonce).setAAD(this.#about(about)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString();
    } catch {
      // The text was made with another key, subject or scope, or by another party.
      return undefined;
    }
  }

  #about(about: string): Buffer {
    return Buffer.from(JSON.stringify([this.#scope, about]));
  }
}
