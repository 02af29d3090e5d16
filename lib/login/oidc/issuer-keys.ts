import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/index.ts';
import { IssuerUnavailableError, KeysGoneError } from './key-errors.ts';

/** For so long keys are used without asking, in ms: a key that its issuer takes back counts for as long. */
export const FRESH = 10 * 60_000;
/** For so long they are used while their issuer does not answer. */
export const KEPT = 60 * 60_000;
/** The pause between two requests for an unknown key: invented key ids must not cause a request each. */
export const COOLDOWN = 30_000;
/** Between two attempts while the issuer does not answer: who asks meanwhile does not wait for it. */
const PAUSE = 5_000;

interface Keys {
  readonly find: JWTVerifyGetKey;
  readonly since: number;
}

export interface IssuerKeysOptions {
  /** Whose they are, for people. */
  readonly owner: string;
  /** @throws {KeysGoneError} */
  fetch(): Promise<JSONWebKeySet>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The keys that an issuer signs with: kept, and looked up again when one is new. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keys: Keys | undefined;
  #asking: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Why they could not be had the last time. */
  #failure: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * The key by which a token says that it is signed. As jose's own key sets: rejects where there is none.
   *
   * @throws {IssuerUnavailableError}
   * @throws {KeysGoneError}
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      const age = this.#options.clock.now() - keys.since;
      if (!(error instanceof errors.JWKSNoMatchingKey) || age < COOLDOWN) throw error;
      await this.#refresh();
      return (this.#keys ?? keys).find(header, token);
    }
  };

  async #current(): Promise<Keys> {
    const { clock } = this.#options;
    if (this.#ageAt(clock.now()) >= FRESH) await this.#refresh();
    if (this.#keys === undefined || this.#ageAt(clock.now()) >= KEPT) {
      if (this.#failure instanceof KeysGoneError) throw this.#failure;
      const why = this.#failure instanceof Error ? this.#failure.message : 'they are too old';
      throw new IssuerUnavailableError(`the keys of ${this.#options.owner} cannot be had: ${why}`);
    }
    return this.#keys;
  }

  #ageAt(now: number): number {
    return this.#keys === undefined ? Number.POSITIVE_INFINITY : now - this.#keys.since;
  }

  /** Asks once, however many wait. Never rejects: who needs keys looks whether there are some. */
  #refresh(): Promise<void> {
    const { clock } = this.#options;
    if (clock.now() - this.#failedAt < PAUSE) return Promise.resolve();
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const { clock } = this.#options;
    const since = clock.now();
    try {
      this.#keys = { find: createLocalJWKSet(await this.#options.fetch()), since };
    } catch (error) {
      if (error instanceof KeysGoneError) this.#keys = undefined;
      this.#failure = error;
      this.#failedAt = clock.now();
    }
  }
}
