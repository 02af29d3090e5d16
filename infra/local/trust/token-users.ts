import { createHash } from 'node:crypto';
import type { Identity } from '../../../lib/login/index.ts';

/**
 * Users by token. Lookups compare digests, so that their duration reveals nothing about a token.
 */
export class TokenUsers {
  readonly #byDigest = new Map<string, Identity>();

  /** @throws {Error} another user has the token */
  add(token: string, identity: Identity): void {
    const digest = digestOf(token);
    const holder = this.#byDigest.get(digest);
    if (holder !== undefined) {
      throw new Error(`${identity.username} has the same token as ${holder.username}`);
    }
    this.#byDigest.set(digest, identity);
  }

  find(token: string): Identity | undefined {
    return this.#byDigest.get(digestOf(token));
  }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64');
