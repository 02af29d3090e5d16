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

/** One message of an event source, given to a function. In virtual ms. */
export interface Handout {
  readonly queue: string;
  readonly messageId: string;
  /** How often it was received, this time included. */
  readonly receives: number;
  readonly at: number;
  /** Before when it is not to be handled, where it says so. */
  readonly due?: number;
  /** When the function said that it failed; undefined: it was handled, or the function died. */
  failed?: number;
}

/** Everything outside the code under test: time, chance, table and queues. */
export class World implements Surroundings {
  readonly scheduler = new Scheduler();
  readonly chance: Chance;
  readonly table: SimulatedTable;
  readonly queues: SimulatedQueues;
  readonly trace: Surroundings['trace'];
  /** Of all queues that functions are fed from, in their order. */
  readonly handouts: Handout[] = [];
  faults: Faults;

  constructor({ seed, faults, trace }: WorldOptions) {
    this.chance = new Chance(seed);
    this.faults = faults;
    this.trace = trace && ((line) => trace(this.scheduler.now, line));
    this.table = new SimulatedTable(this);
    this.queues = new SimulatedQueues(this);
  }
}
