import { createConcerns, createDerivation, MANAGER } from '../../../lib/controllers/deriving/index.ts';
import { createDeriver, createHints, TooEarlyError } from '../../../lib/coordination/index.ts';
import { createDispatcher } from '../../../lib/delivery/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { objectWriter, openAuthority, statusWriter } from '../../../lib/server/index.ts';
import { createStore } from '../../../lib/store/index.ts';
import type { Chance } from '../../conformance/placement/chance.ts';
import type { MemoryApi } from '../../support/service/memory-api.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const CHOSEN = 'status,endpointslices';

export interface DerivedWorld {
  /** Lets the functions handle all messages, with crashes at any call, until all is quiet a few minutes later. */
  settle(): Promise<void>;
  /** The number of crashes of functions. */
  readonly crashes: () => number;
}

/** Creates dispatch, reconcile and derive over one table. `deaths` is the probability that a call ends its process. */
export async function derivedWorld(
  { memory }: MemoryApi,
  { chance, deaths }: { readonly chance: Chance; readonly deaths: number },
): Promise<DerivedWorld> {
  const { clock, world } = memory;
  const queueUrl = await world.queues.create('derive.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const inside = (seed: number) => {
    const outside = { clock, random: seeded(seed), logger: silentLogger };
    const table = world.faults.around('table', world.table);
    const queues = world.faults.around('queues', world.queues);
    const hints = createHints({ queues, queueUrl: world.eventQueueUrl, logger: silentLogger });
    return { ...outside, table, queues, hints, store: createStore({ ...outside, table }) };
  };
  world.followsAll = true;
  world.reconciler = world.newReconciler();
  const dispatching = inside(11);
  world.dispatcher = createDispatcher({
    ...dispatching,
    reconcileQueueUrl: world.reconcileQueueUrl,
    followsAll: true,
    resources: targetResources,
    authority: openAuthority({ clock }),
    deriving: { concerns: createConcerns(CHOSEN), queueUrl },
  });
  const deriving = inside(12);
  const writing = {
    ...deriving,
    manager: MANAGER,
    deadline: () => clock.deadline(25_000),
    announce: deriving.hints.announce,
  };
  const derivation = createDerivation({
    chosen: CHOSEN,
    clock,
    writeStatus: statusWriter(writing),
    objects: objectWriter(writing),
  });
  const deriver = createDeriver({ ...deriving, queueUrl, derivation });

  async function pump(): Promise<void> {
    for (let idle = false; !idle; ) {
      await world.pump();
      const due = await world.queues.drain(queueUrl);
      for (const { body } of due) {
        await world.handle(() => deriver.derive(JSON.parse(body)).catch(unlessEarly));
      }
      idle = due.length === 0;
    }
  }

  async function minute(): Promise<void> {
    clock.advance(60_000);
    await clock.during(world.handle(() => world.reconciler.tick()));
    await clock.during(world.handle(() => deriver.tick()));
    await clock.during(pump());
  }

  return {
    crashes: () => world.faults.crashes,
    async settle() {
      world.faults.crash = () => chance.maybe(deaths, () => chance.pick(['before', 'after'] as const));
      await clock.during(pump());
      await minute();
      world.faults.crash = undefined;
      world.faults.calls.length = 0;
      // The leases of dead processes have expired, and the tick finds the changes whose messages were lost.
      for (let left = 3; left > 0; left -= 1) await minute();
    },
  };
}

/** Ignores the error of a work item that is not due yet, because the tick finds it later. */
function unlessEarly(error: unknown): void {
  if (!(error instanceof TooEarlyError)) throw error;
}
