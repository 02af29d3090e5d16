import { screen } from '../screen.ts';

/** Compares answers with the expected ones, and counts the differences. */
export class Checks {
  count = 0;

  equal(answer: readonly string[], expected: readonly string[]): void {
    const holds = answer.join() === expected.join();
    if (!holds) this.count += 1;
    screen.check(holds, answer.join(' ') || '(none)', expected.join(' ') || '(none)');
  }
}
