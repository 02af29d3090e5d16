import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createDeriver,
  type Derivation,
  type Derived,
  enqueueChanges,
  LeaseHeldError,
  TooEarlyError,
} from '../../../../lib/coordination/index.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger, systemClock, systemRandom } from '../../../../lib/platform/index.ts';
import { createStore, dueKey, type Table } from '../../../../lib/store/index.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const PODS: Collection = 'core/pods';
const SETS: Collection = 'apps/replicasets';
const SUBJECT = { collection: SETS, name: { namespace: 'default', name: 'web' } };
const KEY = dueKey(SUBJECT.collection, SUBJECT.name);
const EVERYBODY = { collection: 'winnow.dev/rounds', name: { namespace: '', name: 'all' } } as const;
const START = 1_000_000;

let table: Table;
let now: number;
let sent: { readonly group: string; readonly body: string }[];
let derived: Derived;
let asked: number;

beforeEach(() => {
  table = createMemoryTable();
  now = START;
  sent = [];
  asked = 0;
});

const clock = { ...systemClock, now: () => now };
const queues = {
  sendBatch: async (_url: string, messages: never) => {
    sent.push(...(messages as typeof sent));
    return [];
  },
} as never;

function outside() {
  const random = systemRandom;
  const logger = silentLogger;
  return {
    table,
    store: createStore({ table, clock, random, logger }),
    queues,
    clock,
    random,
    logger,
    queueUrl: '',
  };
}

const derivation: Derivation = {
  collections: new Set([PODS, SETS]),
  chosen: 'status',
  everybody: EVERYBODY,
  concerned: async (_outside, collection, changes) =>
    changes.map(({ rv }) => ({ subject: SUBJECT, collection, rv })),
  derive: async () => {
    asked += 1;
    return derived;
  },
};

const derive = (at?: number) =>
  createDeriver({ ...outside(), derivation }).derive({ ...SUBJECT, ...(at !== undefined && { at }) });

const owe = (rv: number) =>
  enqueueChanges(
    { ...outside(), concerns: derivation, collection: PODS },
    { upTo: rv, changes: [{ rv }] as never },
  );

describe('The deriver', () => {
  it('The deriver creates no row for a work item that is gone', async () => {
    const given = table;
    const outcomes: string[] = [];
    table = {
      ...given,
      update: async (...request) => {
        const answer = await given.update(...request);
        outcomes.push(answer.outcome);
        return answer;
      },
    };
    await derive();
    expect(outcomes).toHaveLength(1);
    expect(outcomes).not.toContain('done');
    expect([await table.get(KEY), asked]).toEqual([undefined, 0]);
  });

  it('The deriver derives a work item once and deletes its row', async () => {
    await owe(5);
    derived = { seen: new Map([[PODS, 7]]) };
    await derive();
    await derive();
    expect(asked).toBe(1);
    expect(await table.get(KEY)).toBeUndefined();
  });

  it('The deriver keeps the row if more work was enqueued meanwhile, and skips work that it has already seen', async () => {
    await owe(5);
    derived = { seen: new Map([[PODS, 7]]) };
    const during = createDeriver({
      ...outside(),
      derivation: {
        ...derivation,
        derive: async () => {
          asked += 1;
          await owe(6);
          return derived;
        },
      },
    });
    await during.derive(SUBJECT);
    expect(await table.get(KEY)).toMatchObject({ 'wanted core/pods': 6, 'seen core/pods': 7 });
    await derive();
    expect([asked, await table.get(KEY)]).toEqual([1, undefined]);
  });

  it('A second deriver is refused while the first works, and a failure releases the row', async () => {
    await owe(5);
    await table.update(KEY, { set: { leaseHolder: 'other', leaseExpires: START + 1 } });
    await expect(derive()).rejects.toThrow(LeaseHeldError);
    now = START + 2;
    const failing = { ...derivation, derive: () => Promise.reject(new Error('not now')) };
    await expect(createDeriver({ ...outside(), derivation: failing }).derive(SUBJECT)).rejects.toThrow(
      'not now',
    );
    derived = { seen: new Map() };
    await derive();
    expect(await table.get(KEY)).toBeUndefined();
  });

  it('The deriver wakes itself when time changes the result, and not earlier', async () => {
    await owe(5);
    sent = [];
    derived = { seen: new Map([[PODS, 5]]), next: START + 3_000 };
    await derive();
    const [{ group, body }] = sent as [(typeof sent)[0]];
    expect([group, JSON.parse(body)]).toEqual([
      expect.stringMatching(/\/time$/),
      { ...SUBJECT, at: START + 3_000 },
    ]);
    await expect(derive(START + 3_000)).rejects.toThrow(new TooEarlyError(3_000));
    await derive();
    expect(asked).toBe(1);
    now = START + 3_000;
    derived = { seen: new Map() };
    await derive(START + 3_000);
    expect([asked, await table.get(KEY)]).toEqual([2, undefined]);
  });
});

describe('The schedule of work items', () => {
  it('The schedule sends due work items, and none that wait for their time', async () => {
    await table.put({ pk: 'due#rounds', sk: 'rounds', chosen: 'status', rounds: 2, began: 0 });
    const deriver = createDeriver({ ...outside(), derivation });
    await table.put({ ...KEY, 'wanted core/pods': 5, 'seen core/pods': 5, time: START + 1, raised: START });
    await deriver.tick();
    expect(sent).toEqual([]);
    now = START + 1;
    await deriver.tick();
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([SUBJECT]);
  });

  it('The schedule measures the age of work that keeps failing, though more work is enqueued all the time', async () => {
    const lags: number[] = [];
    const metrics = { record: (_: string, lag: number) => lags.push(lag) } as never;
    const failing = { ...derivation, derive: () => Promise.reject(new Error('not now')) };
    const deriver = createDeriver({ ...outside(), derivation: failing, metrics });
    await table.put({ pk: 'due#rounds', sk: 'rounds', chosen: 'status', rounds: 2, began: 0 });
    for (let minute = 0; minute < 5; minute += 1) {
      now = START + minute * 60_000;
      await owe(5 + minute);
      await expect(deriver.derive(SUBJECT)).rejects.toThrow('not now');
      await deriver.tick();
    }
    expect(lags).toEqual([0, 1, 2, 3, 4].map((minute) => minute * 60_000));
    derived = { seen: new Map([[PODS, 20]]), next: now + 3_600_000 };
    await derive();
    await owe(21);
    await deriver.tick();
    expect(lags.at(-1)).toBe(0);
  });

  it('The schedule repeats a row whose changes were all seen before the row was enqueued', async () => {
    await table.put({ pk: 'due#rounds', sk: 'rounds', chosen: 'status', rounds: 2, began: 0 });
    await table.put({ ...KEY, 'wanted core/pods': 5, 'seen core/pods': 7 });
    await createDeriver({ ...outside(), derivation }).tick();
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([SUBJECT]);
    await derive();
    expect([asked, await table.get(KEY)]).toEqual([0, undefined]);
  });

  it('The schedule derives everything twice after a setting changes, the second time when no process uses the old one', async () => {
    const deriver = createDeriver({ ...outside(), derivation });
    const rounds = () => sent.splice(0).filter(({ body }) => body.includes(EVERYBODY.collection)).length > 0;
    const seen: boolean[] = [];
    derived = { seen: new Map() };
    for (const minute of [0, 1, 11, 30]) {
      now = START + minute * 60_000;
      await deriver.tick();
      seen.push(rounds());
      await deriver.derive(EVERYBODY);
    }
    expect(seen).toEqual([true, false, true, false]);
  });
});

describe('A round that enqueues work items', () => {
  it('A round that lost changes enqueues a full pass', async () => {
    await enqueueChanges({ ...outside(), concerns: derivation, collection: PODS }, { upTo: 9 });
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([EVERYBODY]);
    expect(await table.get(dueKey(EVERYBODY.collection, EVERYBODY.name))).toMatchObject({
      'wanted core/pods': 9,
    });
  });

  it('A round raises marks, and never lowers them', async () => {
    await owe(9);
    await owe(5);
    expect(await table.get(KEY)).toMatchObject({ 'wanted core/pods': 9 });
  });
});
