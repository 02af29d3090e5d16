import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock, silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { EntryPoll, HEAD, POLL, QUIET } from '../../../../lib/store/watch/entry-poll.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

/** The time, the head, the first missing entry, how long each read waited, and what it read. */
let now: number;
let head: number;
let gap: number;
let pauses: number[];
let reads: string[];
let poll: EntryPoll;

beforeEach(() => {
  now = 1_000_000;
  head = 7;
  gap = Number.POSITIVE_INFINITY;
  pauses = [];
  reads = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const clock = { now: () => now, sleep } as Partial<Clock> as Clock;
  const store = {
    head: async () => {
      reads.push('head');
      return head;
    },
    arrived: async (_, after, most) => {
      reads.push(`${most} after ${after}`);
      return Math.max(after, Math.min(head, gap - 1, after + most));
    },
  } as Partial<Store> as Store;
  const random = { fraction: () => 1, uuid: () => '', suffix: () => '' };
  poll = new EntryPoll({ store, clock, random, logger: silentLogger }, PODS);
});

const never = new Promise<void>(() => {});

/** Awaits this many reads, and returns the pauses before them. */
async function read(times: number): Promise<number[]> {
  const before = pauses.length;
  let known = await poll.above(0, never);
  for (let time = 0; time < times; time += 1) known = await poll.above(known, never);
  return pauses.slice(before);
}

describe('reads by a poll', () => {
  it('are rare for a client that knew the current head', async () => {
    poll.sawHead(7, 7);
    expect(await read(2)).toEqual([TIMING.watchPoll, TIMING.watchPoll]);
  });

  it('are frequent for a client that knew less', async () => {
    poll.sawHead(7, 6);
    expect(await read(1)).toEqual([TIMING.watchPollBusy]);
  });

  it('are not more frequent for a client that was away, if the poll itself was not', async () => {
    poll.sawHead(7);
    poll.sawHead(7, 5);
    expect(await read(1)).toEqual([TIMING.watchPoll]);
  });

  it('follow a change soon, and become rarer with the time since then', async () => {
    poll.sawHead(7);
    await read(1);
    head = 8;
    await read(2);
    const after = await read(4_100);
    expect(after[0]).toBe(TIMING.watchPollBusy);
    expect(after.at(-1)).toBe(TIMING.watchPoll);
    expect(after.toSorted((left, right) => left - right)).toEqual(after);
    // 80 ms each for 16 times as long, and 300 ms after ten minutes.
    expect(after.filter((pause) => pause === TIMING.watchPollBusy)).toHaveLength(17);
    const quick = after.filter((pause) => pause < TIMING.watchPoll);
    expect(quick.reduce((sum, pause) => sum + pause)).toBeGreaterThanOrEqual(QUIET);
    expect(quick.slice(0, -1).reduce((sum, pause) => sum + pause)).toBeLessThan(QUIET);
    expect(quick.at(-1)).toBe(POLL);
    head = 9;
    await read(2);
    expect(await read(1)).toEqual([TIMING.watchPollBusy]);
  });

  it('are shared by all waiters, and answer a waiter that leaves at once', async () => {
    poll.sawHead(7);
    head = 8;
    const both = [poll.above(7, never), poll.above(7, never)];
    expect(await poll.above(7, Promise.resolve())).toBe(7);
    expect(await Promise.all(both)).toEqual([8, 8]);
    expect(reads).toEqual(['1 after 7']);
  });

  it('are not needed by a waiter that knows less than another one', async () => {
    poll.sawHead(9);
    expect(await poll.above(7, never)).toBe(9);
    expect(reads).toEqual([]);
  });
});

describe('a poll that finds every entry that it asked for', () => {
  it('asks for twice as many at once, until some are missing', async () => {
    poll.sawHead(7);
    head = 12;
    let known = 7;
    while (reads.length < 4) known = await poll.above(known, never);
    expect(known).toBe(12);
    expect(reads).toEqual(['1 after 7', '2 after 8', '4 after 10', '1 after 12']);
    expect(pauses).toEqual([TIMING.watchPoll, TIMING.watchPollBusy]);
  });

  it('asks for a hundred at most', async () => {
    poll.sawHead(7);
    head = 10_000;
    let known = 7;
    while (reads.length < 10) known = await poll.above(known, never);
    expect(reads.slice(6, 9).map((text) => text.split(' ')[0])).toEqual(['64', '100', '100']);
    expect(pauses).toHaveLength(1);
  });
});

describe('a gap', () => {
  it('is seen by a read of the head, after five silent seconds at most', async () => {
    poll.sawHead(7);
    const began = now;
    [gap, head] = [8, 9];
    let known = 7;
    while (known === 7) known = await poll.above(7, never);
    expect(known).toBe(9);
    expect(now - began).toBeLessThanOrEqual(HEAD.silent + TIMING.watchPoll);
    expect(now - began).toBeGreaterThanOrEqual(HEAD.silent);
    expect(reads.filter((one) => one === 'head')).toHaveLength(1);
  });

  it('is seen a second after the last read of the head if the collection changes', async () => {
    poll.sawHead(7, 6);
    const began = now;
    [gap, head] = [8, 9];
    let known = 7;
    while (known === 7) known = await poll.above(7, never);
    expect(known).toBe(9);
    expect(now - began).toBeLessThanOrEqual(HEAD.busy + TIMING.watchPollBusy);
  });
});

describe('a call of wake', () => {
  const put = (rv: number) => ({ put: { pk: 'journal', sk: String(rv).padStart(16, '0') } });

  it('with the next entry hands it to the store', async () => {
    const awake = sleepless();
    poll.sawHead(7);
    const waiting = poll.above(7, never);
    head = 8;
    poll.wake(put(8));
    expect(await waiting).toBe(8);
    expect(awake).toEqual(['committed 8']);
  });

  it('with another entry leads to a read at once', async () => {
    const awake = sleepless();
    poll.sawHead(7);
    const waiting = poll.above(7, never);
    head = 8;
    poll.wake(put(9));
    expect(await waiting).toBe(8);
    expect(awake).toEqual(['1 after 7']);
  });

  it('ends the pause', async () => {
    const awake = sleepless();
    poll.sawHead(7);
    const waiting = poll.above(7, never);
    head = 8;
    poll.wake(undefined);
    expect(await waiting).toBe(8);
    expect(awake).toEqual(['1 after 7']);
  });

  it('during a read makes the next read follow at once, and only that', async () => {
    poll.sawHead(7);
    const waiting = poll.above(7, never);
    while (reads.length === 0) await Promise.resolve();
    poll.wake(undefined);
    await waiting;
    expect(await read(2)).toEqual([TIMING.watchPoll]);
  });
});

/** Makes pauses endless unless they are ended, and returns the reads. */
function sleepless(): string[] {
  const clock: Partial<Clock> = {
    now: () => now,
    sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
  };
  const store: Partial<Store> = {
    arrived: async (_, after, most, committed) => {
      reads.push(committed === undefined ? `${most} after ${after}` : `committed ${Number(committed.sk)}`);
      return head;
    },
  };
  const random = { fraction: () => 1, uuid: () => '', suffix: () => '' };
  poll = new EntryPoll({ store: store as Store, clock: clock as Clock, random, logger: silentLogger }, PODS);
  return reads;
}
