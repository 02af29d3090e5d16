/** The library's source of time. It is injected, so that a simulation can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after `milliseconds`, or at once when `signal` aborts. Never rejects: a caller that must know why it
   * woke checks the signal.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts `milliseconds` from now. */
  deadline(milliseconds: number): AbortSignal;
  /**
   * Calls `look` every so many ms, until the caller calls the returned function. It does not run while this process
   * is suspended.
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
