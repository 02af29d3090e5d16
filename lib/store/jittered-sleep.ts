import type { Clock } from '../platform/index.ts';

/** Sleeps for a random part of `milliseconds`, at least half of it. */
export async function jitteredSleep(
  clock: Clock,
  fraction: number,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  await clock.sleep(milliseconds * (0.5 + fraction / 2), signal);
}
