import { screen } from './screen.ts';

/** The time between two progress messages, in ms. */
const EVERY = 2_000;

/** Runs a function, and prints its progress on standard error every 2 s. */
export async function withProgress<T>(progress: () => string, run: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => screen.note(progress()), EVERY);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
