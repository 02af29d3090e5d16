import type { Principal } from './principal.ts';
import type { RefusedError } from './refused-error.ts';

/** What STS said of a token: who it is, or that it is nobody. */
export type Verdict = Principal | RefusedError;

/** How many are kept, of a few hundred bytes each. */
const MAXIMUM = 1_000;

/** Verdicts by a token's digest, each until its time is up. The oldest goes when there are too many. */
export class Verdicts {
  readonly #kept = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  get size(): number {
    return this.#kept.size;
  }

  find(digest: string, now: number): Verdict | undefined {
    const found = this.#kept.get(digest);
    return found !== undefined && now < found.until ? found.verdict : undefined;
  }

  /** `until` in milliseconds since the Unix epoch. */
  keep(digest: string, verdict: Verdict, until: number): void {
    this.#kept.delete(digest);
    this.#kept.set(digest, { verdict, until });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAXIMUM) break;
      this.#kept.delete(oldest);
    }
  }
}
