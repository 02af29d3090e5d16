import { expect, it } from '@jest/globals';
import { type Queue, Replica } from '../../../lib/client/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import { seeded } from '../../support/watch/memory-world.ts';
import { matchingPods } from '../../support/watch/model.ts';
import { type RealWorld, startRealWorld } from '../../support/watch/real-world.ts';
import type { WatchWorld } from '../../support/watch/watch-world.ts';

const ROUNDS = 12;
const random = seeded(11);
const below = (limit: number) => Math.floor(random.fraction() * limit);

/** Returns the messages of the world's queue after each call of `tell`, and deletes them at once. */
function queueOf({ queues }: WatchWorld): Queue & { tell(): void } {
  let received = 0;
  let told = Promise.withResolvers<void>();
  return {
    tell: () => told.resolve(),
    receive: async (url, signal) => {
      signal.addEventListener('abort', () => told.resolve());
      await told.promise;
      told = Promise.withResolvers();
      const messages = await queues.drain(url);
      return messages.map(({ body, attributes }) => {
        received += 1;
        const id = String(received);
        return { id, receipt: id, body, attributes, queue: url.split('/').at(-1) ?? '' };
      });
    },
    delete: async () => undefined,
  };
}

/** Kills about half of the dispatchers between a send and the next write, and then lets the lease expire. */
function killBetweenSendAndStore({ world: { faults }, clock }: RealWorld) {
  const killed = { count: 0 };
  faults.crash = (call) => {
    const isBetween = call === 'table.update' && faults.calls.at(-1) === 'queues.sendBatch';
    if (!isBetween || random.fraction() < 0.5) return undefined;
    killed.count += 1;
    clock.advance(TIMING.dispatchLease);
    return 'before';
  };
  return killed;
}

async function live({ world, clock, minute }: RealWorld, tell: () => void): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = 0; at < 4; at += 1) {
      const name = `default/p${below(8)}`;
      await (random.fraction() < 0.2
        ? world.remove(name).catch(() => undefined)
        : world.put(name, { app: random.fraction() < 0.7 ? 'x' : 'y' }));
    }
    if (round === ROUNDS / 2) await world.edit('sub', { labelSelector: 'app=y' });
    await world.pump();
    clock.advance(60_000);
    await minute();
    tell();
  }
}

it('a replica proves that it has the true set, although dispatch dies often between a send and its cursor', async () => {
  const real = await startRealWorld();
  const { world } = real;
  const errors: string[] = [];
  const queue = queueOf(world);
  const replica = new Replica({ queueUrl: () => world.queueOf('sub'), queue });
  replica.on('error', ({ message }) => errors.push(message));
  try {
    await world.subscribe('sub', { start: 'snapshot', verify: true, labelSelector: 'app=x' });
    await world.pump();
    const running = replica.run();
    const killed = killBetweenSendAndStore(real);
    await live(real, queue.tell);
    world.faults.crash = undefined;
    for (let count = 0; count < 3; count += 1) await real.minute();
    queue.tell();
    const expected = await matchingPods(world, ({ labels }) => labels.app === 'y');
    await eventually('it has the true set', async () => {
      const held: string[] = [];
      for await (const { metadata } of replica.values()) {
        held.push(`default/${metadata.name}@${metadata.resourceVersion}`);
      }
      return `${held}` === `${expected}`;
    });
    expect(errors).toEqual([]);
    expect(killed.count).toBeGreaterThan(ROUNDS / 3);
    await replica.stop();
    await running;
  } finally {
    await real.stop();
  }
});
