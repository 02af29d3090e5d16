import type { Queues, Receipts } from '../../../lib/coordination/index.ts';
import type { Clock, Logger, Random } from '../../../lib/platform/index.ts';
import { createStore, type Store, type Table } from '../../../lib/store/index.ts';
import { activityKey } from '../../../lib/store/keys.ts';
import { createClock } from './clock.ts';
import { type Ended, Process } from './process.ts';
import type { World } from './world.ts';

/** The dependencies of the code under test in one process. The store, with its caches, lives as long as the process. */
export interface Given {
  readonly table: Table;
  readonly queues: Queues & { readonly receipts: Receipts };
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly store: Store;
}

interface Warm<Service> {
  readonly process: Process;
  readonly service: Service;
}

/** A Lambda function. Each invocation has a process to itself, which stands still between invocations. */
export class Lambda<Service> {
  readonly #world: World;
  readonly #name: string;
  readonly #create: (given: Given) => Service;
  readonly #idle: Warm<Service>[] = [];
  #started = 0;

  constructor(world: World, name: string, create: (given: Given) => Service) {
    this.#world = world;
    this.#name = name;
    this.#create = create;
  }

  /** Runs `work` in a process, for `timeout` ms at most. */
  async invoke<Result>(timeout: number, work: (service: Service) => Promise<Result>): Promise<Ended<Result>> {
    const warm = this.#take();
    warm.process.thaw();
    const ended = await warm.process.run(() => work(warm.service), timeout);
    this.#world.queues.settle(warm.process, hasFailed(ended));
    if (!warm.process.isDead) {
      warm.process.freeze();
      this.#idle.push(warm);
    }
    return ended;
  }

  #take(): Warm<Service> {
    const { chance, coldStarts } = this.#world;
    const isCold = this.#idle.length === 0 || chance.chance(coldStarts);
    const [warm] = isCold ? [] : this.#idle.splice(chance.below(this.#idle.length), 1);
    return warm ?? this.#start();
  }

  #start(): Warm<Service> {
    const { process, given } = startProcess(this.#world, `${this.#name}-${this.#started++}`);
    return { process, service: this.#create(given) };
  }
}

/** Creates a new process and the dependencies of its code. */
export function startProcess(world: World, name: string): { process: Process; given: Given } {
  const process = new Process(world, name);
  const connected = world.table.connect(process);
  const clock = createClock(world, process);
  const table = world.hasQuietTimes ? connected : withoutMarks(connected);
  const { logger } = process;
  const outside = {
    table,
    clock,
    random: world.chance.fork().asRandom(),
    logger,
    mostRowBytes: world.mostRowBytes,
  };
  const queues = world.queues.connect(process);
  return { process, given: { ...outside, queues, store: createStore(outside) } };
}

/** A table that takes no marks of writing processes. All ticks are complete, so no tick reads a mark. */
function withoutMarks(table: Table): Table {
  return {
    ...table,
    update: (key, ...rest) =>
      key.pk === activityKey.pk ? Promise.resolve({ outcome: 'done' }) : table.update(key, ...rest),
  };
}

/** Whether an invocation failed. One that returns failed messages counts as failed too. */
function hasFailed(ended: Ended<unknown>): boolean {
  if (ended.how !== 'done') return true;
  const { batchItemFailures } = {
    ...(ended.result as { batchItemFailures?: readonly unknown[] } | undefined),
  };
  return (batchItemFailures?.length ?? 0) > 0;
}
