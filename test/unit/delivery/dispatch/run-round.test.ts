import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../../lib/coordination/index.ts';
import { EMPTY_DIGEST } from '../../../../lib/delivery/tallies/index.ts';
import { cursorKey, GoneError, type Store, tallyKey } from '../../../../lib/store/index.ts';
import { createTurns, type Turns } from '../../../support/watch/turns.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

const MEMBERS = { members: 1 };
const CURSOR = cursorKey(PODS).sk;
const TELLING = 'send memory://events.fifo';
const ready = (position: number) => ({ membership: 'ready', position });
const synced = (position: number) => ({ membership: 'synced', position });

/** Sets the cursor as if dispatch had sent everything up to `position` and had not seen the ready subscriptions yet. */
const sentUpTo = (turns: Turns, position: number) => turns.setCursor({ position, ...MEMBERS });

describe('a dispatch round', () => {
  it('a round activates ready subscriptions up to 500 changes behind the cursor', async () => {
    const turns = await createTurns();
    const head = await turns.write(510);
    await sentUpTo(turns, head);
    await turns.subscriber('near', ready(head - 500));
    await turns.subscriber('far', ready(head - 501));
    await turns.take(head);
    expect(await turns.row('near')).toMatchObject(synced(head));
    expect(await turns.row('far')).toMatchObject({ membership: 'catching-up', position: head - 501 });
    expect(await turns.drain('near')).toHaveLength(500);
  });

  it('a round stores all fall backs concurrently before the cursor moves', async () => {
    const turns = await createTurns();
    const head = await turns.write(510);
    await sentUpTo(turns, head);
    await turns.subscriber('one', ready(1));
    await turns.subscriber('two', ready(1));
    await turns.take(head);
    expect(turns.done).toEqual([CURSOR, 'uid-one', 'uid-two', CURSOR]);
    expect(turns.gauge.most).toBe(2);
  });

  it('a round reads 500 changes and leaves the rest to the next', async () => {
    const turns = await createTurns();
    const head = await turns.write(510);
    await turns.subscriber('sub', synced(1));
    await sentUpTo(turns, 1);
    expect(await turns.take(head)).toMatchObject({ position: 501, isReleased: false });
    expect(await turns.drain('sub')).toHaveLength(500);
    expect(await turns.take(head)).toMatchObject({ position: head });
  });

  it('a round without subscriptions moves the cursor to the head without reading the journal', async () => {
    const turns = await createTurns();
    const head = await turns.write(510);
    const unread = (store: Store): Store => ({ ...store, decidedChanges: fails, nextChanges: fails });
    expect(await turns.take(head, unread)).toMatchObject({ position: head, isReleased: true });
  });

  it('a round without subscriptions hints the other shards before the cursor moves', async () => {
    const { turns, head } = await createFirstOfTwo();
    await turns.take(head);
    expect(turns.done).toEqual([TELLING, CURSOR]);
  });

  it('a round activates at most 25 ready subscriptions and leaves the rest to the next', async () => {
    const turns = await createTurns();
    const head = await turns.write(1);
    await sentUpTo(turns, head);
    const admitted = async () => (await turns.states()).filter(({ membership }) => membership === 'synced');
    for (let count = 0; count < 25; count += 1) await turns.subscriber(`first${count}`, ready(head));
    // The round raised the version once, and the test raised it once when the subscriptions became ready.
    expect(await turns.take(head)).toMatchObject({ members: 2, seen: 2, isReleased: true });
    expect(await admitted()).toHaveLength(25);
    for (let count = 0; count < 26; count += 1) await turns.subscriber(`then${count}`, ready(head));
    await turns.rows.update(cursorKey(PODS), { add: MEMBERS });
    await turns.setCursor({ leaseHolder: 'me' });
    expect(await turns.take(head)).toMatchObject({ members: 4, seen: 2, isReleased: false });
    expect(await admitted()).toHaveLength(50);
  });

  it('a round waits for a change only if its hint names it and there is nothing to activate', async () => {
    const turns = await createTurns();
    const head = await turns.write(2);
    await sentUpTo(turns, head - 1);
    const waits = async (rv: number) => {
      const asked: string[] = [];
      const noting = (store: Store): Store => ({
        ...store,
        nextChanges: (...request) => {
          asked.push('waits');
          return store.nextChanges(...request);
        },
      });
      await turns.take(rv, noting);
      await turns.setCursor({ position: head - 1, leaseHolder: 'me' });
      return asked;
    };
    await turns.subscriber('sub', synced(head - 1));
    expect(await waits(head)).toEqual(['waits']);
    expect(await waits(head - 1)).toEqual([]);
    await turns.subscriber('new', ready(head - 1));
    await turns.setCursor({ members: 7 });
    expect(await waits(head)).toEqual([]);
    expect(await turns.row('new')).toMatchObject(synced(head));
  });

  it("a round activates a subscription that is ahead of it at that subscription's position", async () => {
    const turns = await createTurns();
    const head = await turns.write(3);
    await sentUpTo(turns, 1);
    await turns.subscriber('ahead', ready(head));
    const undecided = (store: Store): Store => ({
      ...store,
      decidedChanges: async (_, after) => ({ changes: [], upTo: after }),
    });
    // Nothing else is synced, so the cursor moves there too.
    expect(await turns.take(1, undecided)).toMatchObject({ position: head });
    expect(await turns.row('ahead')).toMatchObject(synced(head));
  });

  it('a round sends nothing again to subscriptions that are ahead of the cursor', async () => {
    const turns = await createTurns();
    const head = await turns.write(2);
    await sentUpTo(turns, 1);
    await turns.subscriber('ahead', synced(head));
    await turns.subscriber('sub', synced(1));
    await turns.take(head);
    expect(await turns.drain('ahead')).toEqual([]);
    expect(await turns.drain('sub')).toHaveLength(2);
  });

  it('a round sends to all concerned subscriptions concurrently, and releases the lease at the end of its hint', async () => {
    const turns = await createTurns();
    const head = await turns.write(1);
    await sentUpTo(turns, 1);
    for (const name of ['a', 'b', 'c']) await turns.subscriber(name, synced(1));
    expect(await turns.take(head)).toMatchObject({ position: head, isReleased: true });
    expect(turns.gauge.most).toBe(3);
    expect(turns.done.filter((call) => call.startsWith('send '))).toHaveLength(3);
  });

  it('a round gives up on a queue that does not answer while others do, and lets it catch up', async () => {
    const turns = await createTurns();
    const head = await turns.write(1);
    await sentUpTo(turns, 1);
    for (const name of ['stalled', 'well']) await turns.subscriber(name, synced(1));
    const never = new Promise<never>(() => {});
    turns.faults.send = (url) => (url.includes('stalled') ? never : undefined);
    const began = turns.clock.now();
    await turns.clock.during(turns.take(head));
    expect(turns.clock.now() - began).toBeLessThanOrEqual(2_000);
    expect(await turns.row('stalled')).toMatchObject({
      membership: 'catching-up',
      position: 1,
      failures: 1,
      failure: expect.stringContaining('no answer within'),
    });
    expect(await turns.row('well')).toMatchObject({ membership: 'synced' });
    expect(await turns.drain('well')).toHaveLength(1);
  });

  it('a round stores the digest of sent events before it activates ready subscriptions', async () => {
    const turns = await createTurns();
    const head = await turns.write(2);
    await sentUpTo(turns, head);
    const counted = { tally: EMPTY_DIGEST };
    await turns.subscriber('behind', { ...ready(head - 1), ...counted });
    await turns.take(head);
    expect(turns.done).toEqual([
      'send memory://behind.fifo',
      tallyKey('uid-behind').sk,
      CURSOR,
      'uid-behind',
      CURSOR,
    ]);
    expect(await turns.row('behind')).toMatchObject(synced(head));
    await turns.rows.update(cursorKey(PODS), { add: MEMBERS, set: { leaseHolder: 'me' } });
    await turns.subscriber('there', { ...ready(head), ...counted });
    await turns.take(head);
    expect(turns.done.slice(5)).toEqual([CURSOR, 'uid-there', CURSOR]);
  });

  it('rounds raise the settled watermark once in 64 changes', async () => {
    const turns = await createTurns();
    await turns.subscriber('sub', synced(1));
    const settled = async (head: number) => {
      await turns.setCursor({ leaseHolder: 'me' });
      await turns.take(head);
      return (await turns.store.watermarks(PODS)).settled;
    };
    expect(await settled(await turns.write(40))).toBe(1);
    const head = await turns.write(40);
    expect(await settled(head)).toBe(head);
    expect(await settled(await turns.write(1))).toBe(head);
  });

  it('a round ends after the settled watermark is raised', async () => {
    const turns = await createTurns();
    const head = await turns.write(64);
    await turns.subscriber('sub', synced(1));
    await sentUpTo(turns, 1);
    const slow = (store: Store): Store => ({
      ...store,
      raise: async (...request) => {
        for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
        await store.raise(...request);
      },
    });
    await turns.take(head, slow);
    expect(await turns.store.watermarks(PODS)).toMatchObject({ settled: head });
  });

  it('a round hands over all recalled subscriptions concurrently before the cursor moves', async () => {
    const turns = await createTurns();
    const head = await turns.write(1);
    await turns.subscriber('one', { ...synced(1), recall: 'why' });
    await turns.subscriber('two', { ...synced(1), recall: 'why' });
    await turns.take(head);
    expect(turns.done).toEqual([CURSOR, 'uid-one', 'uid-two', CURSOR]);
    expect(turns.gauge.most).toBe(2);
    expect(await turns.row('one')).toMatchObject({
      membership: 'catching-up',
      step: 'journal',
      start: 1,
      failure: 'why',
    });
  });

  it('a round that could not store its changes leaves no cached states', async () => {
    const turns = await createTurns();
    const head = await turns.write(510);
    await sentUpTo(turns, head - 1);
    await turns.subscriber('far', ready(1));
    await turns.subscriber('sub', synced(head - 1));
    turns.faults.send = () => turns.setCursor({ leaseHolder: 'another' });
    await expect(turns.take(head)).rejects.toThrow(LeaseHeldError);
    const { clock, known, rows, target } = turns;
    const read = { ...rows, query: fails };
    await expect(known.read({ table: read, clock, target, version: 2 })).rejects.toThrow('not to be asked');
  });
});

describe('a dispatch round whose changes are compacted', () => {
  const answering =
    (error: Error) =>
    (store: Store): Store => ({
      ...store,
      nextChanges: () => Promise.reject(error),
      decidedChanges: () => Promise.reject(error),
    });

  it('a round restarts all subscriptions concurrently before the cursor moves', async () => {
    const turns = await createTurns();
    const head = await turns.write(3);
    await turns.subscriber('one', synced(1));
    await turns.subscriber('two', synced(1));
    await turns.setCursor({ position: 1 });
    expect(await turns.take(head, answering(new GoneError('compacted')))).toMatchObject({ position: head });
    expect(turns.done).toEqual([CURSOR, 'uid-one', 'uid-two', CURSOR]);
    expect(turns.gauge.most).toBe(2);
    expect(await turns.row('two')).toMatchObject({
      membership: 'catching-up',
      step: 'gone',
      failure: 'compacted',
    });
    expect(turns.logged.map(({ message }) => message)).toContain(
      'the cursor fell behind the compacted journal',
    );
  });

  it('a round hints the other shards before the cursor moves', async () => {
    const { turns, head } = await createFirstOfTwo();
    await turns.subscriber('one', synced(1), '0');
    await turns.take(head, answering(new GoneError('compacted')));
    expect(turns.done).toEqual([CURSOR, '0', TELLING, CURSOR]);
  });

  it('a round leaves all subscriptions unchanged on any other error', async () => {
    const turns = await createTurns();
    const head = await turns.write(3);
    await turns.subscriber('one', synced(1));
    await turns.setCursor({ position: 1 });
    await expect(turns.take(head, answering(new Error('other')))).rejects.toThrow('other');
    expect(await turns.row('one')).toMatchObject(synced(1));
  });
});

/** Creates the first of two shards, with changes to dispatch. */
async function createFirstOfTwo() {
  const turns = await createTurns();
  const head = await turns.write(3);
  await turns.setCursor({ position: 1, until: 32, ...MEMBERS });
  await turns.rows.put({ ...cursorKey(PODS, 32), position: 1, until: 64 });
  return { turns, head };
}

async function fails(): Promise<never> {
  throw new Error('not to be asked');
}
