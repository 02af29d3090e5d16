import { describe, expect, it } from '@jest/globals';
import { run } from './run.ts';
import { SCENARIOS, type Scenario } from './scenarios/index.ts';

/** Every how many scenarios one is tested. Each takes two runs that write down all that happens inside. */
const PART = process.env.WINNOW_SIMULATION_SEEDS === undefined ? 6 : 2;

/** All that a run did and saw, and everything that happened inside. */
async function textOf(scenario: Scenario, seed: number): Promise<string> {
  const lines: string[] = [];
  const { history } = await run({ seed, scenario, trace: (at, line) => lines.push(`${at} ${line}`) });
  return `${JSON.stringify(history)}\n${lines.join('\n')}`;
}

describe('A simulated run', () => {
  it.each(SCENARIOS.filter((_, at) => at % PART === 0))(
    'Two runs with the same seed are equal to the last byte: $name',
    async (scenario) => {
      expect(await textOf(scenario, 7)).toEqual(await textOf(scenario, 7));
    },
  );

  it('Two runs with different seeds differ', async () => {
    const [scenario] = SCENARIOS;
    if (scenario === undefined) throw new Error('there are no scenarios');
    expect(await textOf(scenario, 1)).not.toEqual(await textOf(scenario, 2));
  });
});
