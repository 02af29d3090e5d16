import { describe, expect, it } from '@jest/globals';
import { readShards } from '../../../../lib/delivery/shards/index.ts';
import { createMemoryWorld, type MemoryWorld, seeded } from '../../../support/watch/memory-world.ts';
import { unprovenOf } from '../../../support/watch/misnumbered.ts';
import { matchingPods } from '../../../support/watch/model.ts';
import { PODS, QUEUE_PREFIX } from '../../../support/watch/watch-world.ts';

const CHANGES = Number(process.env.WINNOW_CHANGES ?? 10_000);
const SUBSCRIPTIONS = 200;
const GROUP_SIZE = 60;
const APPS = 20;
const PODS_AT_MOST = 150;
/** The number of changes between two deliveries, and in a minute. */
const BURST = 50;
const MINUTE = 500;
/** The probability that the dispatcher dies between a send and its next write, and that a batch is rejected. */
const KILLED = 0.25;
const REFUSED = 0.01;

const random = seeded(7);
const below = (limit: number) => Math.floor(random.fraction() * limit);
const appAt = (index: number) => `a${index % APPS}`;

/** Kills dispatchers at random after a send and before the next write. Another process continues. */
function killAtRandom({ world }: MemoryWorld) {
  const { faults } = world;
  const killed = { count: 0 };
  let isDispatching = false;
  const start = () => {
    const dispatcher = world.newDispatcher();
    world.dispatcher = {
      dispatch: async (hint, signal) => {
        isDispatching = true;
        try {
          await dispatcher.dispatch(hint, signal);
        } finally {
          isDispatching = false;
        }
      },
    };
  };
  faults.crash = (call) => {
    const isBetween = call === 'table.update' && faults.calls.at(-1) === 'queues.sendBatch';
    faults.calls.splice(0, faults.calls.length - 1);
    if (!isDispatching || !isBetween || random.fraction() >= KILLED) return undefined;
    killed.count += 1;
    start();
    return 'before';
  };
  faults.send = (url, messages) =>
    url.includes(QUEUE_PREFIX) && random.fraction() < REFUSED ? [below(messages.length)] : undefined;
  start();
  return killed;
}

async function change({ world }: MemoryWorld): Promise<void> {
  const name = `default/p${below(PODS_AT_MOST)}`;
  await (random.fraction() < 0.15
    ? world.remove(name).catch(() => undefined)
    : world.put(name, { app: appAt(below(APPS)) }));
}

describe('two hundred verified subscriptions in shards, whose dispatchers are killed', () => {
  it(`consumers know and can prove the true set after ${CHANGES} changes, splits, edits and failing queues`, async () => {
    const memory = await createMemoryWorld(3, { groupSize: GROUP_SIZE });
    const { world, queues, pump, minutes } = memory;
    const selected = new Map<string, string>();
    const subscribe = async (index: number) => {
      const labelSelector = `app=${appAt(index)}`;
      await world.subscribe(`s${index}`, { start: 'snapshot', verify: true, labelSelector });
      selected.set(`s${index}`, appAt(index));
    };
    for (let index = 0; index < SUBSCRIPTIONS / 4; index += 1) await subscribe(index);
    await pump();
    const killed = killAtRandom(memory);
    for (let done = 0; done < CHANGES; done += BURST) {
      for (let at = 0; at < BURST; at += 1) await change(memory);
      // New subscriptions arrive during changes, so that shards are split then.
      for (let at = 0; at < 20 && selected.size < SUBSCRIPTIONS; at += 1) await subscribe(selected.size);
      const name = `s${below(selected.size)}`;
      if (random.fraction() < 0.5) {
        selected.set(name, appAt(below(APPS)));
        await world.edit(name, { labelSelector: `app=${selected.get(name)}` });
      } else if (random.fraction() < 0.1) {
        const url = await world.queueOf(name);
        if (url !== '') await queues.delete(url);
      }
      await pump();
      for (const one of [name, `s${below(selected.size)}`]) await world.consume(one);
      if (done % MINUTE === 0) await minutes(1);
    }
    world.faults.crash = undefined;
    world.faults.send = undefined;
    await minutes(40);

    const groups = await readShards(world.table, PODS);
    expect(groups.length).toBeGreaterThanOrEqual(4);
    expect(killed.count).toBeGreaterThan(CHANGES / BURST / 2);
    let numbers = 0;
    const pods = new Map<string, string[]>();
    for (let at = 0; at < APPS; at += 1) {
      pods.set(appAt(at), await matchingPods(world, ({ labels }) => labels.app === appAt(at)));
    }
    for (const [name, app] of selected) {
      const consumer = await world.consume(name);
      expect([name, consumer.known]).toEqual([name, pods.get(app)]);
      expect([name, ...unprovenOf(consumer)]).toEqual([name]);
      numbers += consumer.events.filter(({ attributes }) => attributes.sequence !== undefined).length;
    }
    expect(numbers).toBeGreaterThan(CHANGES);
  });
});
