/** Time as the library sees it. Injected, so that a simulation can own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after `milliseconds`, or at once when `signal` aborts. Never rejects: the caller looks at the
   * signal if it matters why it woke.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts `milliseconds` from now. */
  deadline(milliseconds: number): AbortSignal;
  /**
   * Calls `look` every so many ms, until the function that it answers is called; not for the time in which this process
   * stands still.
   */
  every(milliseconds: number, look: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      signal?.addEventListener('abort', wake, { once: true });
    }),
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
  every: (milliseconds, look) => {
    const timer = setInterval(look, milliseconds);
    return () => clearInterval(timer);
  },
};
