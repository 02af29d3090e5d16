import { expect, it } from '@jest/globals';
import { seeded } from '../../support/watch/memory-world.ts';
import { RandomLife } from '../../support/watch/random-life.ts';
import { startRealWorld } from '../../support/watch/real-world.ts';

// These few lives use the real protocols. test/unit/delivery runs many more in memory.
it.each((process.env.WINNOW_LIVES ?? '3').split(',').map(Number))(
  'consumers finally know exactly the matching objects, after any random faults (seed %d)',
  async (seed) => {
    const { world, clock, minute, stop } = await startRealWorld();
    try {
      const life = new RandomLife({
        world,
        clock,
        minute,
        steps: 70,
        random: seeded(seed),
        pump: () => world.pump(),
        during: (work) => work,
      });
      await life.run();
      const { known, expected, unproven } = await life.outcome();
      expect(known).toEqual(expected);
      expect(unproven).toEqual([]);
      expect(await world.states()).toHaveLength(life.subscriptions.size);
    } finally {
      await stop();
    }
  },
);
