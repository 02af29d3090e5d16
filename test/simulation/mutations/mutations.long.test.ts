import { describe, expect, it } from '@jest/globals';
import { examine } from '../examine.ts';
import { scenarioNamed } from '../scenarios/index.ts';
import { MUTATIONS, recordedSeeds, replay } from './index.ts';

const seeds = await recordedSeeds();

describe('the simulation', () => {
  it.concurrent.each(MUTATIONS)(
    'finds fault with a seed only where $name is taken out: $mechanism',
    async (mutation) => {
      const seed = seeds[mutation.name] ?? 1;
      const asItIs = await examine({ seed, scenario: scenarioNamed(mutation.scenario) });
      expect(asItIs.violations).toEqual([]);
      expect((await replay(mutation, seed)).check).toBeDefined();
    },
  );
});
