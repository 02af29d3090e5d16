import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE = 50;

/**
 * Looks again and again until it sees something: anything but undefined and false. Rejects, naming `what`, when
 * that takes longer than `within` milliseconds: far more than a slow machine needs, as this is not to measure.
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
