import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';

/** What every part of the simulated world shares. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  /** In force now: a run ends in calm. */
  faults: Faults;
  /** Notes what happens inside, where somebody replays the run. */
  readonly trace: ((line: string) => void) | undefined;
}
