import type { Random } from '../../../lib/platform/index.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { createMemoryTable } from '../store/memory-table.ts';
import { createMemoryQueues, type MemoryQueues } from './memory-queues.ts';
import { WatchWorld, type WatchWorldOptions } from './watch-world.ts';

export interface MemoryWorld {
  readonly world: WatchWorld;
  readonly clock: OwnedClock;
  readonly queues: MemoryQueues;
  /** Pumps until nothing is left to do, moving the clock where somebody sleeps. */
  pump(): Promise<void>;
  /** Minutes go by, each with its tick. */
  minutes(count: number): Promise<void>;
}

/** Dispatch and reconcile on a table and queues in memory, with chance that is the same for the same seed. */
export async function createMemoryWorld(
  seed = 1,
  more: Pick<WatchWorldOptions, 'reach' | 'groupSize' | 'followsAll' | 'authorLife'> = {},
): Promise<MemoryWorld> {
  const clock = new OwnedClock();
  const queues = createMemoryQueues();
  const inMemory = { table: createMemoryTable(), queues, clock, random: seeded(seed) };
  const world = await WatchWorld.create({ ...inMemory, ...more });
  const pump = () => clock.during(world.pump());
  return {
    world,
    clock,
    queues,
    pump,
    async minutes(count) {
      for (let minute = 0; minute < count; minute += 1) {
        clock.advance(60_000);
        await clock.during(world.handle(() => world.reconciler.tick()));
        await pump();
      }
    },
  };
}

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const digits = (length: number, alphabet: string) =>
    Array.from({ length }, () => alphabet[Math.floor(fraction() * alphabet.length)]).join('');
  return {
    fraction,
    suffix: (length) => digits(length, 'bcdfghjklmnpqrstvwxz2456789'),
    uuid: () => `${digits(8, '0123456789abcdef')}-0000-4000-8000-${digits(12, '0123456789abcdef')}`,
  };
}
