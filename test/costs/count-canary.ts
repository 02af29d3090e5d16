import { createCanary } from '../../lib/controllers/canary/index.ts';
import { createHints, type Inbox } from '../../lib/coordination/index.ts';
import { objectAt } from '../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../lib/kubernetes/lifecycle/index.ts';
import { CANARY, type LogData, systemRandom as random, silentLogger } from '../../lib/platform/index.ts';
import { createStore } from '../../lib/store/index.ts';
import { startTable } from '../support/store/table.ts';
import { createMemoryQueues, type TestQueues } from '../support/watch/memory-queues.ts';
import { MovableClock } from '../support/watch/real-world.ts';
import { type Outside, type Owner, WatchWorld } from '../support/watch/watch-world.ts';
import { createCounter, type Used } from './counting.ts';

/** Of a minute of a canary that runs for some time already. */
export interface CanaryCounts {
  /** What it asks for itself; the two requests by which it receives are among them. */
  readonly beat: Used;
  /** What dispatch does of it. */
  readonly follows: Used;
}

/** Beats until everything is there, and beats that are counted: as many as a journal has partitions. */
const [BEFORE, COUNTED] = [4, 8];
/** A message that is there is received and deleted. */
const RECEIVING = 2;

/** Counted as `countDelivery` counts. */
export async function countCanary(): Promise<CanaryCounts> {
  const { table, stop } = await startTable();
  try {
    const counter = createCounter();
    const clock = new MovableClock();
    const reach = (_owner: Owner, outside: Outside): Outside => ({
      table: counter.table(outside.table),
      queues: counter.queues(outside.queues),
    });
    const queues = createMemoryQueues();
    const world = await WatchWorld.create({ table, queues, clock, reach });
    const failed: LogData[] = [];
    const logger = { ...silentLogger, error: (_message: string, data: LogData = {}) => failed.push(data) };
    const store = createStore({ table: counter.table(table), clock, random, logger });
    const hints = createHints({ queues: counter.queues(queues), queueUrl: world.eventQueueUrl, logger });
    const metrics = { record: () => {} };
    const canary = createCanary({ store, clock, random, logger, metrics, hints, inbox: inboxOf(queues) });
    await world.put(`/${CANARY.namespace}`, {}, {}, 'core/namespaces');
    const minute = async () => {
      clock.advance(60_000);
      counter.take();
      await canary.beat({ signal: new AbortController().signal });
      const beat = counter.take();
      await world.pump();
      return { beat, follows: counter.take() };
    };
    await world.pump();
    for (let beats = 0; beats < BEFORE; beats += 1) await minute();
    const minutes: CanaryCounts[] = [];
    for (let beats = 0; beats < COUNTED; beats += 1) minutes.push(await minute());
    const { body } = (await world.store.get(SUBSCRIPTIONS, CANARY)) ?? {};
    const isSynced = objectAt(body?.status).phase === 'Synced';
    if (!isSynced || failed.length > 0 || world.errors.length > 0) {
      throw new AggregateError([...failed, ...world.errors], 'the canary failed');
    }
    const beat = mean(minutes.map((one) => one.beat));
    return {
      beat: { ...beat, sends: beat.sends + RECEIVING },
      follows: mean(minutes.map((one) => one.follows)),
    };
  } finally {
    await stop();
  }
}

function inboxOf(queues: TestQueues): Inbox {
  return {
    receive: async (url) => (await queues.drain(url)).map(({ body }) => ({ body, sentAt: 0, receipt: '' })),
    delete: async () => {},
  };
}

function mean(all: readonly Used[]): Used {
  const of = (name: keyof Used) => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return { reads: of('reads'), writes: of('writes'), requests: of('requests'), sends: of('sends') };
}
