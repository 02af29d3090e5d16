import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/index.ts';
import { IssuerUnavailableError, KeysGoneError } from './key-errors.ts';

/** In ms: how long keys are used without a refresh. A key that its issuer revokes stays valid for this time. */
export const FRESH = 10 * 60_000;
/** In ms: how long keys are used while their issuer does not answer. */
export const KEPT = 60 * 60_000;
/**
 * In ms: the least age of the keys at which an unknown key id causes a refresh. Invented key ids must not cause a
 * request each.
 */
export const COOLDOWN = 30_000;
/** In ms: the pause between two attempts while the issuer does not answer. Logins in that time do not wait for it. */
const PAUSE = 5_000;

interface Keys {
  readonly find: JWTVerifyGetKey;
  readonly since: number;
}

export interface IssuerKeysOptions {
  /** The owner of the keys, for messages. */
  readonly owner: string;
  /** Fetches the keys. @throws {KeysGoneError} they no longer exist */
  fetch(): Promise<JSONWebKeySet>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The cached signing keys of an issuer. They are fetched again for an unknown key id. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keys: Keys | undefined;
  #asking: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Why the last fetch failed. */
  #failure: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * Finds the key that a token names. Rejects where there is none, as jose's own key sets do.
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
      throw new IssuerUnavailableError(`the keys of ${this.#options.owner} are not available: ${why}`);
    }
    return this.#keys;
  }

  #ageAt(now: number): number {
    return this.#keys === undefined ? Number.POSITIVE_INFINITY : now - this.#keys.since;
  }

  /** Fetches the keys; concurrent callers share one fetch. Never rejects: the caller checks whether keys are there. */
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
