import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock, silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { HeadPoll } from '../../../../lib/store/watch/head-poll.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

/** The time, the collection's head, and how long each look waited. */
let now: number;
let head: number;
let pauses: number[];
let poll: HeadPoll;

beforeEach(() => {
  now = 1_000_000;
  head = 7;
  pauses = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const clock = { now: () => now, sleep } as Partial<Clock> as Clock;
  const store = { head: async () => head } as Partial<Store> as Store;
  const random = { fraction: () => 1, uuid: () => '', suffix: () => '' };
  poll = new HeadPoll({ store, clock, random, logger: silentLogger }, PODS);
});

const never = new Promise<void>(() => {});

async function look(times: number): Promise<number[]> {
  const before = pauses.length;
  for (let time = 0; time < times; time += 1) expect(await poll.head(never)).toBe(head);
  return pauses.slice(before);
}

describe('reads of the head by a poll', () => {
  it('are rare for a client that knew the current head', async () => {
    poll.saw(7, 7);
    expect(await look(2)).toEqual([TIMING.watchPoll, TIMING.watchPoll]);
  });

  it('are frequent for a client that knew less, and for one that listed after a change', async () => {
    poll.saw(7, 6);
    expect(await look(1)).toEqual([TIMING.watchPollBusy]);
  });

  it('are not more frequent for a client that was away, if the poll itself was not', async () => {
    poll.saw(7);
    poll.saw(7, 5);
    expect(await look(1)).toEqual([TIMING.watchPoll]);
  });

  it('follow a change soon, and become rarer with the time since then', async () => {
    poll.saw(7);
    await look(1);
    head = 8;
    await look(1);
    const after = await look(60);
    expect(after[0]).toBe(TIMING.watchPollBusy);
    expect(after.at(-1)).toBe(TIMING.watchPoll);
    expect(after.toSorted((left, right) => left - right)).toEqual(after);
    // The change, and 80 ms each for 16 times as long.
    expect(after.filter((pause) => pause === TIMING.watchPollBusy)).toHaveLength(17);
    head = 9;
    await look(1);
    expect(await look(1)).toEqual([TIMING.watchPollBusy]);
  });

  it('are shared by all waiters, and answer 0 to a waiter that leaves', async () => {
    const [first, second] = [poll.head(never), poll.head(never)];
    const left = poll.head(Promise.resolve());
    expect(await left).toBe(0);
    expect([await first, await second]).toEqual([7, 7]);
    expect(pauses).toHaveLength(1);
  });
});
