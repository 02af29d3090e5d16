import { constants } from 'node:os';

/** Resolves on the first SIGINT or SIGTERM; a second one ends the process at once. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const hear = (signal: 'SIGINT' | 'SIGTERM') => {
      signals += 1;
      if (signals > 1) process.exit(128 + constants.signals[signal]);
      resolve();
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
