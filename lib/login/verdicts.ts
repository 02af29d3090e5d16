import type { Principal } from './principal.ts';
import type { RefusedError } from './refused-error.ts';

/** The answer of STS about a token: its principal, or the refusal. */
export type Verdict = Principal | RefusedError;

/** The largest number of cached verdicts, of a few hundred bytes each. */
const MAXIMUM = 1_000;

/** A cache of verdicts by the token's digest. Each verdict has an expiry; a full cache drops its oldest verdict. */
export class Verdicts {
  readonly #kept = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  get size(): number {
    return this.#kept.size;
  }

  find(digest: string, now: number): Verdict | undefined {
    const found = this.#kept.get(digest);
    return found !== undefined && now < found.until ? found.verdict : undefined;
  }

  /** `until` is in milliseconds since the Unix epoch. */
  keep(digest: string, verdict: Verdict, until: number): void {
    this.#kept.delete(digest);
    this.#kept.set(digest, { verdict, until });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAXIMUM) break;
      this.#kept.delete(oldest);
    }
  }
}
