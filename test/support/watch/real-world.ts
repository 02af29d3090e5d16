import { type Clock, systemClock } from '../../../lib/platform/index.ts';
import { startTable } from '../store/table.ts';
import { startTestQueues } from './test-queues.ts';
import { WatchWorld } from './watch-world.ts';

/** The system's clock, or one that stands at `start`. A test can put both forward. Sleeping takes real time. */
export class MovableClock implements Clock {
  readonly #start: number | undefined;
  #ahead = 0;
  readonly sleep = systemClock.sleep;
  readonly deadline = systemClock.deadline;
  readonly every = systemClock.every;

  constructor(start?: number) {
    this.#start = start;
  }

  now(): number {
    return (this.#start ?? systemClock.now()) + this.#ahead;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

export interface RealWorld {
  readonly world: WatchWorld;
  readonly clock: MovableClock;
  /** A minute goes by, with its tick and all that follows. */
  minute(): Promise<void>;
  stop(): Promise<void>;
}

/** Dispatch and reconcile on an empty embedded DynamoDB and SQS, behind the adapters that are deployed. */
export async function startRealWorld(): Promise<RealWorld> {
  const [{ table, stop }, queues] = await Promise.all([startTable(), startTestQueues()]);
  const clock = new MovableClock();
  const world = await WatchWorld.create({ table, queues, clock });
  return {
    world,
    clock,
    async minute() {
      clock.advance(60_000);
      await world.handle(() => world.reconciler.tick());
      await world.pump();
    },
    async stop() {
      await Promise.all([stop(), queues.stop()]);
    },
  };
}
