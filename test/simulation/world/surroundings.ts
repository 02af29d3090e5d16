import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';

/** The state that every part of the simulated world shares. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  /** The faults in force now: a run ends in calm. */
  faults: Faults;
  /** Records events inside the world while a run is replayed. */
  readonly trace: ((line: string) => void) | undefined;
}
