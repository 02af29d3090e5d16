import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE = 50;

/**
 * Checks repeatedly until the result is neither undefined nor false. Rejects, naming `what`, after `within`
 * milliseconds: far more than a slow machine needs, because this is no measurement.
 */
export async function eventually<Seen>(
  what: string,
  look: () => Promise<Seen | undefined | false> | Seen | undefined | false,
  within = 120_000,
): Promise<Seen> {
  for (const end = performance.now() + within; ; await sleep(PAUSE)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`${what}: not within ${within} ms`);
  }
}
