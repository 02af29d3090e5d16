import { createHash } from 'node:crypto';
import type { Identity } from '../../../lib/login/index.ts';

/**
 * Who has which token. They are told apart by their digests, so that how long a look takes says nothing of how much
 * of a token was right.
 */
export class TokenUsers {
  readonly #byDigest = new Map<string, Identity>();

  /** Throws where the token is somebody's already. */
  add(token: string, identity: Identity): void {
    const digest = digestOf(token);
    const holder = this.#byDigest.get(digest);
    if (holder !== undefined) throw new Error(`${identity.username} has the token of ${holder.username}`);
    this.#byDigest.set(digest, identity);
  }

  find(token: string): Identity | undefined {
    return this.#byDigest.get(digestOf(token));
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64');
