import { postingsBackfill } from '../../lib/controllers/backfills/index.ts';
import { setAsideMeter, whileDue } from '../../lib/controllers/reconcile/index.ts';
import { silentLogger as logger, systemRandom as random } from '../../lib/platform/index.ts';
import { ensurePriorityClasses, quotaReckoner } from '../../lib/server/index.ts';
import { createStore, headKey, type Table } from '../../lib/store/index.ts';
import { startTable } from '../support/store/table.ts';
import { createMemoryQueues } from '../support/watch/memory-queues.ts';
import { MovableClock } from '../support/watch/real-world.ts';
import { type Outside, type Owner, PODS, WatchWorld } from '../support/watch/watch-world.ts';
import { type Counter, createCounter, type Used } from './counting.ts';

export interface DeliveryCounts {
  /** Of one change that comes by itself, dispatched to nobody. */
  /** What follows a change of a collection that no Subscription has ever selected. */
  readonly unfollowed: Used;
  readonly toNobody: Used;
  /** Of one that comes by itself, dispatched to one synced subscription which it concerns. */
  readonly toOne: Used;
  /** A complete tick: the mean of a quarter of an hour. */
  readonly minute: Used;
  /** The mean hour in which nothing is written, without Subscriptions and with one. */
  readonly hour: QuietHour;
  readonly subscribedHour: QuietHour;
  /** What a further subscription adds to an hour. */
  readonly subscriptionHour: Used;
  /** Metrics that are told while nothing happens. */
  readonly idleMetrics: number;
}

/** What the schedule uses in an hour. */
export interface QuietHour {
  readonly used: Used;
  /** The number of complete ticks. */
  readonly complete: number;
  /** How often the messages that were set aside are counted. */
  readonly looks: number;
}

/** In one of so many minutes every subscription is looked after. */
const LOOKED_AFTER = 15;
/** In ms: after so long no earlier version writes any more. */
const UPGRADED = 15 * 60_000;
const HOUR = 60 * 60_000;
/** The longest time without a complete tick, in ms. */
const SPAN = 2 * HOUR;
const NOTHING: Used = { reads: 0, writes: 0, requests: 0, sends: 0 };

/** What follows a write, and what goes on while nobody asks, on the embedded DynamoDB. */
export async function countDelivery(): Promise<DeliveryCounts> {
  const { table, stop } = await startTable();
  try {
    const counter = createCounter();
    const clock = new MovableClock();
    const reach = (_owner: Owner, outside: Outside): Outside => ({
      table: counter.table(outside.table),
      queues: counter.queues(outside.queues),
    });
    const world = await WatchWorld.create({ table, queues: createMemoryQueues(), clock, reach });
    const store = createStore({ table: counter.table(table), clock, random, logger });
    await ensurePriorityClasses({ store, clock, random });
    const reckonQuotas = quotaReckoner(clock, world.hints);
    const sweep = postingsBackfill({ table: counter.table(table), clock, hints: world.hints, logger });
    const besides = async () => {
      await reckonQuotas(store);
      await sweep(store);
    };
    const ticking = whileDue({ table: counter.table(table), clock });
    const measured = { world, clock, counter, besides, ticking };
    // What is to be gone over once is done.
    await besides();
    clock.advance(UPGRADED);
    await besides();
    const unfollowed = combine(await oneChange(measured, 'web'), await oneRelay(measured, table), 1);
    const minute = await oneMinute(measured);
    const idleMetrics = new Set(world.measured.map(({ metric }) => metric)).size;
    const hour = await oneHour(measured);
    await world.subscribe('sub', { labelSelector: 'app=web' });
    await world.pump();
    const toOne = await oneChange(measured, 'web');
    const toNobody = await oneChange(measured, 'api');
    const subscribedHour = await oneHour(measured);
    await world.subscribe('second', { labelSelector: 'app=web' });
    await world.pump();
    const withTwo = await oneHour(measured);
    if (world.errors.length > 0) throw new AggregateError(world.errors, 'delivery failed');
    const subscriptionHour = combine(withTwo.used, subscribedHour.used, -1);
    return { unfollowed, toNobody, toOne, minute, hour, subscribedHour, subscriptionHour, idleMetrics };
  } finally {
    await stop();
  }
}

interface Measured {
  readonly world: WatchWorld;
  readonly clock: MovableClock;
  readonly counter: Counter;
  /** What the schedule does beside reconcile's tick. */
  besides(): Promise<void>;
  readonly ticking: ReturnType<typeof whileDue>;
}

/** Twice: the first may make what the second only finds. */
async function oneChange({ world, counter }: Measured, app: string): Promise<Used> {
  for (const turn of ['first', 'second']) {
    await world.put(`default/${app}`, { app }, { spec: { turn } });
    await world.pump();
    if (turn === 'first') counter.take();
  }
  return counter.take();
}

/** What relay reads to find that no Subscription has selected a collection. */
async function oneRelay({ counter }: Measured, table: Table): Promise<Used> {
  await counter.table(table).batchGet([headKey(PODS)], undefined, 'eventual');
  return counter.take();
}

/** The mean minute of a quarter of an hour, in one of whose minutes every subscription is looked after. */
async function oneMinute(measured: Measured): Promise<Used> {
  await tick(measured, { all: true });
  measured.world.measured.length = 0;
  const usual = await tick(measured, { all: false });
  const thorough = await tick(measured, { all: true });
  return combine(usual, combine(thorough, usual, -1), 1 / LOOKED_AFTER);
}

/** What reconcile does in a minute, and all that follows. */
async function tick(measured: Measured, options: { readonly all: boolean }): Promise<Used> {
  const { world, clock, counter } = measured;
  do clock.advance(60_000);
  while (Math.floor(clock.now() / 60_000) % LOOKED_AFTER === 0);
  counter.take();
  await world.handle(() => world.reconciler.tick(options));
  await measured.besides();
  await world.pump();
  return counter.take();
}

/** The mean hour of two, after an hour in which nothing was written either. */
async function oneHour({ world, clock, counter, besides, ticking }: Measured): Promise<QuietHour> {
  let [complete, looks] = [0, 0];
  const attributes = async () => {
    looks += 1;
    return {};
  };
  const metrics = { record: () => {} };
  const measure = setAsideMeter({ queues: { attributes }, urls: ['one'], clock, logger, metrics });
  clock.advance(2 * SPAN - (clock.now() % SPAN) - HOUR);
  for (const hours of [1, 2]) {
    counter.take();
    [complete, looks] = [0, 0];
    for (let minute = 0; minute < hours * 60; minute += 1) {
      await ticking(false, async (all) => {
        complete += 1;
        let due = 0;
        await world.handle(async () => {
          due = await world.reconciler.tick({ all });
        });
        await besides();
        return (await measure()) ? due : 0;
      });
      await world.pump();
      clock.advance(60_000);
    }
  }
  return { used: combine(NOTHING, counter.take(), 1 / 2), complete: complete / 2, looks: looks / 2 };
}

/** `one` and so many times `other`. */
function combine(one: Used, other: Used, times: number): Used {
  const sum = (name: keyof Used) => one[name] + other[name] * times;
  return { reads: sum('reads'), writes: sum('writes'), requests: sum('requests'), sends: sum('sends') };
}
