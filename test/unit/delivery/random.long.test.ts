import { describe, expect, it } from '@jest/globals';
import { createMemoryWorld, seeded } from '../../support/watch/memory-world.ts';
import { RandomLife } from '../../support/watch/random-life.ts';

const SEEDS = Number(process.env.WINNOW_SEEDS ?? 40);

describe('the consumers of random lives', () => {
  it('consumers finally know exactly the matching objects, after any random faults', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { world, clock, queues, pump, minutes } = await createMemoryWorld(seed);
      const life = new RandomLife({
        world,
        clock,
        pump,
        steps: 120,
        random: seeded(seed * 7919),
        minute: () => minutes(1),
        during: (work) => clock.during(work),
      });
      await life.run();
      const { known, expected, unproven } = await life.outcome();
      try {
        expect(known).toEqual(expected);
        expect(unproven).toEqual([]);
        expect(await world.states()).toHaveLength(life.subscriptions.size);
        expect(queues.urls()).toHaveLength(2 + life.subscriptions.size);
        for (const name of life.subscriptions.keys()) {
          expect(await world.statusOf(name)).toMatchObject({ phase: 'Synced' });
        }
      } catch (cause) {
        throw new Error(`seed ${seed}: ${cause}\n${life.log.join(', ')}`, { cause });
      }
    }
  });
});
