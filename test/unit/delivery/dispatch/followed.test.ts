import { expect, it } from '@jest/globals';
import { headKey, journalKey } from '../../../../lib/store/keys.ts';
import { createMemoryWorld } from '../../../support/watch/memory-world.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const CHANGES = 1_200;
const marked = async ({ world }: Awaited<ReturnType<typeof createMemoryWorld>>) =>
  (await world.table.get(headKey(PODS)))?.followed;

it('writes cost dispatch nothing until a Subscription selects their collection, which then gets all of them', async () => {
  const memory = await createMemoryWorld();
  const { world, pump } = memory;
  for (let change = 0; change < CHANGES; change += 1) await world.put(`default/p${change % 3}`, { app: 'x' });
  expect(await world.queues.drain(world.eventQueueUrl)).toEqual([]);
  expect(await marked(memory)).toBeUndefined();

  await world.subscribe('sub', { start: 'snapshot' });
  const calls = world.faults.calls.length;
  await pump();
  // A round for each 500 changes would make hundreds of calls.
  expect(world.faults.calls.length - calls).toBeLessThan(100);
  expect(await marked(memory)).toBe(true);
  const late = await world.put('default/late', { app: 'x' });
  await pump();
  const consumer = await world.consume('sub');
  const names = consumer.known.map((one) => one.split('@', 1).join());
  expect(names).toEqual(['default/late', 'default/p0', 'default/p1', 'default/p2']);
  expect((await readCursor(world.table, PODS)).position).toBe(late);
  expect(world.errors).toEqual([]);
});

it('a Subscription to a collection whose journal has expired begins once', async () => {
  const { world, pump } = await createMemoryWorld();
  let head = 0;
  for (let change = 0; change < 5; change += 1) head = await world.put('default/a', { app: 'x' });
  for (let rv = 2; rv <= head; rv += 1) await world.table.delete(journalKey(PODS, rv));
  await world.store.raise(PODS, 'settled', head);
  await world.store.raise(PODS, 'compacted', head);
  await world.subscribe('sub', { start: 'snapshot' });
  await pump();
  await world.put('default/b', { app: 'x' });
  await pump();
  const { events } = await world.consume('sub');
  expect(events.map(({ type }) => type).filter((type) => type !== 'BOOKMARK')).toEqual(['ADDED', 'ADDED']);
  expect(world.problems).toEqual([]);
});

it('the tick lets dispatch mark a collection whose mark is missing, as after an upgrade', async () => {
  const memory = await createMemoryWorld();
  const { world, clock, pump } = memory;
  await world.subscribe('sub');
  await pump();
  await world.table.update(headKey(PODS), { remove: ['followed'] });
  await world.store.write(PODS, nameOf('default/a'), () => ({
    kind: 'put',
    body: { metadata: { uid: 'a' } },
  }));
  await clock.during(world.reconciler.tick());
  await pump();
  expect(await marked(memory)).toBe(true);
  expect((await world.consume('sub')).known).toHaveLength(1);
});

it('a deployment that derives data marks nothing, because dispatch has work for all collections', async () => {
  const memory = await createMemoryWorld(1, { followsAll: true });
  const { world, pump } = memory;
  await world.put('default/a');
  expect(await world.queues.drain(world.eventQueueUrl)).toHaveLength(1);
  await world.subscribe('sub');
  await pump();
  expect(await marked(memory)).toBeUndefined();
});
