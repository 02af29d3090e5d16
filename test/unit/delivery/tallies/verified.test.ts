import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { tallyKey } from '../../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { misnumbered, numbered } from '../../../support/watch/misnumbered.ts';
import type { Outside } from '../../../support/watch/watch-world.ts';

const X = { selector: { matchLabels: { app: 'x' } } };
const SNAPSHOT = { start: 'snapshot', verify: true };

/** Expects that the consumer of `sub` received correct numbers and digests, with `count` different numbers. */
async function expectNumbers({ world }: MemoryWorld, count: number, initial?: Map<string, string>) {
  const messages = numbered(await world.consume('sub'));
  expect(misnumbered(messages, { initial: initial ?? new Map() })).toEqual([]);
  expect(new Set(messages.map(({ sequence }) => sequence)).size).toBe(count);
  return messages;
}

async function live({ world, pump }: MemoryWorld, spec: JsonObject): Promise<void> {
  for (const name of ['a', 'b', 'c']) await world.put(`default/${name}`, { app: 'x' });
  await world.put('other/a', { app: 'x' });
  await world.subscribe('sub', { ...spec, ...X });
  await pump();
  await world.put('default/a', { app: 'x', tier: 'front' });
  await world.put('default/b', { app: 'y' });
  await world.remove('default/c');
  await world.put('default/c', { app: 'x' });
  await pump();
}

describe('a verified subscription', () => {
  it('a verified subscription gets numbers without gaps and the digest after each event, across edits and new queues', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, pump, minutes } = memory;
    await live(memory, SNAPSHOT);
    await expectNumbers(memory, 7);
    await world.edit('sub', { selector: { matchLabels: { app: 'y' } } });
    await pump();
    await world.edit('sub', { payload: 'Metadata' });
    await pump();
    await world.put('default/b', { app: 'y', tier: 'back' });
    await pump();
    await expectNumbers(memory, 12);
    await queues.delete(await world.queueOf('sub'));
    await world.put('default/d', { app: 'y' });
    await pump();
    await minutes(2);
    const messages = await expectNumbers(memory, 2);
    expect(new Set(messages.map(({ start }) => start))).toEqual(new Set(['2']));
    expect(world.errors).toEqual([]);
  });

  it('a verified subscription that starts at a list counts the objects of that list page by page', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    const initial = new Map<string, string>();
    for (let index = 0; index < 150; index += 1) {
      const rv = await world.put(`default/p${index}`, { app: index % 3 === 0 ? 'y' : 'x' });
      if (index % 3 !== 0) initial.set(`default/p${index}`, String(rv));
    }
    const head = await world.store.head('core/pods');
    await world.remove('default/p1');
    await world.put('default/p2', { app: 'y' });
    await world.subscribe('sub', { start: String(head), verify: true, namespaces: 'All', ...X });
    await pump();
    await world.put('default/p3', { app: 'x' });
    await pump();
    await expectNumbers(memory, 3, initial);
    expect((await world.statusOf('sub')).phase).toBe('Synced');
  });

  it('a verified subscription gets nothing twice after a round that died before its cursor moved', async () => {
    const memory = await createMemoryWorld();
    const { world, clock, pump, minutes } = memory;
    await live(memory, SNAPSHOT);
    const { calls } = world.faults;
    world.faults.crash = (call) => {
      const isCursor =
        call === 'table.update' && calls.at(-2) === 'queues.sendBatch' && calls.at(-1) === call;
      return isCursor ? 'before' : undefined;
    };
    await world.put('default/d', { app: 'x' });
    await pump();
    expect(world.faults.crashes).toBe(1);
    world.faults.crash = undefined;
    await world.put('default/e', { app: 'x' });
    clock.advance(60_000);
    await pump();
    await minutes(2);
    expect(await expectNumbers(memory, 9)).toHaveLength(9);
  });

  it('a verified subscription gets the same numbers again if its queue rejected a part', async () => {
    const memory = await createMemoryWorld();
    const { world, pump, minutes } = memory;
    await live(memory, SNAPSHOT);
    let isRefused = false;
    world.faults.send = (url) => {
      if (isRefused || !url.includes('-sub-')) return undefined;
      isRefused = true;
      return [1, 3];
    };
    for (const name of ['d', 'e', 'f', 'g', 'h']) await world.put(`default/${name}`, { app: 'x' });
    await world.hints.announce('core/pods', await world.store.head('core/pods'));
    await pump();
    await minutes(3);
    const messages = await expectNumbers(memory, 12);
    expect(messages.length).toBeGreaterThan(12);
  });

  it('a deleted verified subscription leaves only an expiring row that stops late writers', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await live(memory, SNAPSHOT);
    const key = tallyKey((await world.subscription('sub'))?.uid ?? '');
    expect(await world.table.get(key)).toHaveProperty('tally');
    await world.unsubscribe('sub');
    await pump();
    expect(await world.subscription('sub')).toBeUndefined();
    const left = await world.table.get(key);
    expect(left).toHaveProperty('ttl');
    expect(left).not.toHaveProperty('tally');
  });

  it('only a verified subscription has a digest row', async () => {
    const asked: string[] = [];
    const reach = (_: unknown, { table, queues }: Outside): Outside => ({
      queues,
      table: {
        ...table,
        batchGet: (keys, signal) => {
          asked.push(...keys.map(({ pk }) => pk));
          return table.batchGet(keys, signal);
        },
        update: (key, change, signal) => {
          asked.push(key.pk);
          return table.update(key, change, signal);
        },
      },
    });
    const ofTallies = () => asked.splice(0).filter((pk) => pk.startsWith('tally#'));
    const plain = await createMemoryWorld(1, { reach });
    await live(plain, { start: 'snapshot' });
    expect(ofTallies()).toEqual([]);
    expect((await plain.world.consume('sub')).events[0]?.attributes).not.toHaveProperty('sequence');
    const counted = await createMemoryWorld(1, { reach });
    await live(counted, SNAPSHOT);
    expect(ofTallies()).not.toEqual([]);
  });
});
