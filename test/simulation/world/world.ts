import { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import { SimulatedQueues } from './queues.ts';
import { Scheduler } from './scheduler.ts';
import type { Surroundings } from './surroundings.ts';
import { SimulatedTable } from './table.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly faults: Faults;
  /** The most bytes of a row; writers divide larger bodies. */
  readonly mostRowBytes?: number | undefined;
  /** The chance that an invocation gets a new process although a warm one is idle. */
  readonly coldStarts?: number | undefined;
  /** Whether the schedule leaves out ticks while nothing can be due; by default, all ticks are complete. */
  readonly hasQuietTimes?: boolean | undefined;
  /** Records events inside the world; costs time. */
  readonly trace?: ((at: number, line: string) => void) | undefined;
}

const COLD = 0.15;

/** One message of an event source that a function received. In virtual ms. */
export interface Handout {
  readonly queue: string;
  readonly messageId: string;
  /** How often it was received, this time included. */
  readonly receives: number;
  readonly at: number;
  /** The time before which it must not be handled, if the message gives one. */
  readonly due?: number;
  /** When the function reported its failure; undefined: it was handled, or the function died. */
  failed?: number;
}

/** Everything outside the code under test: time, randomness, table and queues. */
export class World implements Surroundings {
  readonly scheduler = new Scheduler();
  readonly chance: Chance;
  readonly table: SimulatedTable;
  readonly queues: SimulatedQueues;
  readonly trace: Surroundings['trace'];
  /** The messages that functions received, from all queues, in order. */
  readonly handouts: Handout[] = [];
  readonly mostRowBytes: number | undefined;
  readonly coldStarts: number;
  readonly hasQuietTimes: boolean;
  faults: Faults;

  constructor({ seed, faults, mostRowBytes, coldStarts = COLD, hasQuietTimes = false, trace }: WorldOptions) {
    this.coldStarts = coldStarts;
    this.hasQuietTimes = hasQuietTimes;
    this.mostRowBytes = mostRowBytes;
    this.chance = new Chance(seed);
    this.faults = faults;
    this.trace = trace && ((line) => trace(this.scheduler.now, line));
    this.table = new SimulatedTable(this);
    this.queues = new SimulatedQueues(this);
  }
}
