import { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import { SimulatedQueues } from './queues.ts';
import { Scheduler } from './scheduler.ts';
import type { Surroundings } from './surroundings.ts';
import { SimulatedTable } from './table.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly faults: Faults;
  /** Where to note what happens inside; costs time. */
  readonly trace?: ((at: number, line: string) => void) | undefined;
}

/** Everything outside the code under test: time, chance, table and queues. */
export class World implements Surroundings {
  readonly scheduler = new Scheduler();
  readonly chance: Chance;
  readonly table: SimulatedTable;
  readonly queues: SimulatedQueues;
  readonly trace: Surroundings['trace'];
  faults: Faults;

  constructor({ seed, faults, trace }: WorldOptions) {
    this.chance = new Chance(seed);
    this.faults = faults;
    this.trace = trace && ((line) => trace(this.scheduler.now, line));
    this.table = new SimulatedTable(this);
    this.queues = new SimulatedQueues(this);
  }
}
