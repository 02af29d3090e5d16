import { constants } from 'node:os';

const ends = new Set<() => void>();
let isListening = false;

/** The signals that end a benchmark from outside. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends what the benchmark started when its process ends, also by a signal. `end` cannot wait for anything. Returns a
 * function that forgets it, for what has ended before.
 */
export function atExit(end: () => void): () => void {
  if (!isListening) {
    isListening = true;
    process.once('exit', endAll);
    for (const signal of SIGNALS) process.once(signal, leave);
  }
  ends.add(end);
  return () => void ends.delete(end);
}

/** Without an exit, a signal ends the process before its `exit` event. */
function leave(signal: (typeof SIGNALS)[number]): void {
  process.exit(128 + constants.signals[signal]);
}

function endAll(): void {
  for (const end of [...ends].reverse()) {
    try {
      end();
    } catch (error) {
      process.stderr.write(`one program may still run: ${error}\n`);
    }
  }
}
