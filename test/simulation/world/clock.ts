import type { Clock } from '../../../lib/platform/index.ts';
import { type Process, SLEEP } from './process.ts';
import type { Surroundings } from './surroundings.ts';

/** The start of every run, in ms since the epoch. */
export const EPOCH = Date.UTC(2026, 0, 1);

/** Creates the clock of one process, which is off by the process's skew and stands still with it. */
export function createClock({ scheduler }: Surroundings, process: Process): Clock {
  return {
    now: () => Math.floor(EPOCH + scheduler.now + process.skew),
    sleep: (milliseconds, signal) => {
      if (signal?.aborted) return Promise.resolve();
      return process.ask(SLEEP, (answer) => {
        const wake = () => answer(() => undefined);
        scheduler.wakeAfter(milliseconds, wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    deadline: (milliseconds) => {
      const controller = new AbortController();
      process.wakeAfter(milliseconds, () => controller.abort('the deadline passed'));
      return controller.signal;
    },
    every: (milliseconds, look) => process.every(milliseconds, look),
  };
}
