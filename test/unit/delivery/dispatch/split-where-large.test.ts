import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import { cursorKey } from '../../../../lib/store/index.ts';
import { createTurns, type Turns } from '../../../support/watch/turns.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

/** Creates a shard with one change and this many synced subscriptions, alternating between its two halves. */
async function createGroup(subscribers: number, load: { readonly most: number; readonly isLong?: boolean }) {
  const turns = await createTurns();
  Object.assign(turns.load, load);
  await turns.setCursor({ position: 1, members: 1 });
  for (let at = 0; at < subscribers; at += 1) {
    const half = at % 2 === 0 ? '0' : '8';
    await turns.subscriber(`${half}${at}`, { membership: 'synced', position: 1 }, `${half}${at}`);
  }
  return { ...turns, head: await turns.write(1) };
}

const isSplit = async ({ rows }: Turns) => (await rows.get(cursorKey(PODS)))?.until === 32;

describe('the split of a large shard', () => {
  it.each([
    [2, { most: 2 }, false],
    [3, { most: 2 }, true],
    [100, { most: 2_000, isLong: true }, false],
    [101, { most: 2_000, isLong: true }, true],
    [101, { most: 2_000 }, false],
  ])('a shard with %i subscriptions and the load %o is split: %s', async (subscribers, load, expected) => {
    const turns = await createGroup(subscribers, load);
    await turns.take(1);
    expect(await isSplit(turns)).toBe(expected);
  });

  it('a shard is split until the selectors of the kept half fit into memory', async () => {
    const turns = await createTurns();
    Object.assign(turns.load, { heap: 2 * 42_000 });
    await turns.setCursor({ position: 1, members: 1 });
    // The estimate is about 41,000 bytes, and the text is shorter than half a kilobyte.
    const selector = Array.from({ length: 99 }, (_, at) => `k${at}`).join(',');
    for (const uid of ['00', '10', '20', '40', '80', 'c0']) {
      await turns.subscriber(uid, { membership: 'synced', position: 1, selector }, uid);
    }
    await turns.take(1);
    expect((await turns.rows.get(cursorKey(PODS)))?.until).toBe(8);
    const hints = (await turns.drain('events')).map(({ body }) => JSON.parse(body).group);
    expect(hints).toEqual([32, 16, 8]);
  });

  it('a split shard hints the other half, and then continues with its own subscriptions', async () => {
    const turns = await createGroup(4, { most: 3 });
    turns.faults.send = (url) =>
      url.includes('events') ? turns.gauge.slowly(100, async () => {}) : undefined;
    expect(await turns.take(turns.head)).toMatchObject({ members: 2, seen: 2, isReleased: true });
    const hints = (await turns.drain('events')).map(({ body }) => JSON.parse(body));
    expect(hints).toEqual([{ collection: PODS, group: 32, rv: 0, hops: 1 }]);
    const told = await Promise.all(['00', '81', '02', '83'].map((name) => turns.drain(name)));
    expect(told.map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });

  it('a shard whose cursor changed concurrently is not split, and sends to all of its subscriptions', async () => {
    const turns = await createGroup(4, { most: 3 });
    turns.table.faults.transact = async () => ({ outcome: 'cancelled' });
    await turns.take(turns.head);
    expect(await isSplit(turns)).toBe(false);
    expect(await turns.drain('events')).toEqual([]);
    for (const name of ['00', '81', '02', '83']) expect(await turns.drain(name)).toHaveLength(1);
  });

  it('a round is long if its sends take more than half of the available time', async () => {
    const turns = await createTurns();
    await turns.subscriber('sub', { membership: 'synced', position: 1 });
    for (const [took, isLong] of [
      [TIMING.dispatchSends / 2, false],
      [TIMING.dispatchSends / 2 + 4, true],
    ] as const) {
      // The time is spread over four batches, none of which times out.
      const head = await turns.write(40);
      await turns.setCursor({ leaseHolder: 'me' });
      turns.faults.send = async () => turns.clock.advance(took / 4);
      await turns.take(head);
      expect(turns.load.isLong).toBe(isLong);
    }
  });
});
