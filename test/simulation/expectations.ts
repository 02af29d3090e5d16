import { expect } from '@jest/globals';
import { examine } from './examine.ts';
import type { Scenario } from './scenarios/index.ts';

/** Seeds of each scenario in `npm test`. More of them: `npm run simulate -- --seeds 10000`. */
const SEEDS = Number(process.env.WINNOW_SIMULATION_SEEDS ?? 3);

/** Runs the first seeds of a scenario. A failure names the command that replays it. */
export function expectNoViolations(scenario: Scenario): Promise<void> {
  return expectNoViolationsInSome(scenario, 1);
}

/** The same as {@link expectNoViolations}, with a part of the seeds. */
export async function expectNoViolationsInSome(scenario: Scenario, part: number): Promise<void> {
  for (let seed = 1; seed <= Math.ceil(SEEDS * part); seed += 1) {
    const { violations } = await examine({ seed, scenario });
    const replay = `npm run simulate -- --scenario ${scenario.name} --seed ${seed}`;
    const found = violations.map((violation) => ({ replay, ...violation }));
    expect(found).toEqual([]);
  }
}
