import { screen } from '../screen.ts';

/** Compares answers with what they must be, and counts those that differ. */
export class Checks {
  count = 0;

  equal(answer: readonly string[], expected: readonly string[]): void {
    const holds = answer.join() === expected.join();
    if (!holds) this.count += 1;
    screen.check(holds, answer.join(' ') || '(none)', expected.join(' ') || '(none)');
  }
}
