import type { Range } from '../world/chance.ts';
import type { Received, SimulatedQueue } from '../world/queue.ts';
import type { World } from '../world/world.ts';

/** Messages of one receive. */
const BATCH = 10;

/** Receives a queue's messages whenever there may be some, a moment after they arrive. `handle` deletes them. */
export function keepReceiving({ scheduler, chance }: World, { queue, within, handle }: Receiving): void {
  let isComing = false;
  const come = () => {
    if (isComing) return;
    isComing = true;
    scheduler.wakeAfter(chance.within(within), () => {
      isComing = false;
      const messages = queue.receive(BATCH);
      if (messages.length === 0) return;
      handle(messages);
      come();
    });
  };
  queue.listen(come);
  come();
}

interface Receiving {
  readonly queue: SimulatedQueue;
  /** Ms from the arrival of a message to its receipt. */
  readonly within: Range;
  readonly handle: (messages: readonly Received[]) => void;
}
