import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/platform/index.ts';

export interface VirtualClock extends Clock {
  /** Moves time on, and aborts the deadlines passed. */
  advance(milliseconds: number): void;
}

/** Time that only moves by sleeping, and at once: a grace of seconds costs a turn of the event loop. */
export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let time = start;
  const deadlines = new Set<{ at: number; controller: AbortController }>();
  const tickers = new Set<{ at: number; readonly look: () => void }>();
  const clock: VirtualClock = {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds;
      for (const deadline of deadlines) {
        if (deadline.at > time) continue;
        deadlines.delete(deadline);
        deadline.controller.abort(new DOMException('the deadline passed', 'TimeoutError'));
      }
      for (const ticker of tickers) if (ticker.at <= time) ticker.look();
    },
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted !== true) clock.advance(milliseconds);
      await setImmediate();
    },
    deadline: (milliseconds) => {
      const deadline = { at: time + milliseconds, controller: new AbortController() };
      deadlines.add(deadline);
      return deadline.controller.signal;
    },
    // However far time is moved, that is one look.
    every: (every, look) => {
      const ticker = { at: time + every, look: () => again() };
      const again = () => {
        ticker.at = time + every;
        look();
      };
      tickers.add(ticker);
      return () => void tickers.delete(ticker);
    },
  };
  return clock;
}
