import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReconcileMessage } from '../../../lib/coordination/index.ts';
import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { cursorKey } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';
import type { TestQueues } from '../../support/watch/memory-queues.ts';
import { startTestQueues } from '../../support/watch/test-queues.ts';
import { nameOf, WatchWorld } from '../../support/watch/watch-world.ts';

const OBJECTS = 250;
/** The duration of each deletion in virtual ms. All deletions together exceed the time of an invocation. */
const SLOW = 300;
/** The time that an invocation reserves to end cleanly, in ms. */
const MARGIN = 2_000;
/** A limit above the number of needed invocations. */
const MOST = 20;
const DEFINITIONS: Collection = 'apiextensions.k8s.io/customresourcedefinitions';
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

interface Ending {
  readonly message: ReconcileMessage;
  /** The collection of the objects. */
  readonly collection: Collection;
  /** The object that is being deleted. */
  readonly owner: readonly [collection: Collection, name: string, body: JsonObject];
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  namespace: {
    message: { kind: 'namespace', name: 'home' },
    collection: 'core/pods',
    owner: ['core/namespaces', '/home', { metadata: GOING, spec: { finalizers: ['kubernetes'] } }],
  },
  definition: {
    message: { kind: 'definition', name: 'widgets.example.com' },
    collection: 'example.com/widgets',
    owner: [
      DEFINITIONS,
      '/widgets.example.com',
      {
        metadata: { ...GOING, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
        spec: { group: 'example.com', names: { plural: 'widgets', kind: 'Widget' } },
      },
    ],
  },
};

let table: TestTable;
let queues: TestQueues;

beforeAll(async () => {
  [table, queues] = await Promise.all([startTable(), startTestQueues()]);
});
afterAll(() => Promise.all([table.stop(), queues.stop()]));

/** Creates an object that is being deleted, with its contents, in a table with slow deletions. */
async function createEnding({ collection, owner: [kind, name, body] }: Ending) {
  const clock = createVirtualClock();
  const isSlow = { now: false };
  const world = await WatchWorld.create({
    table: table.table,
    queues,
    clock,
    reach: (_, outside) => ({
      ...outside,
      table: {
        ...outside.table,
        transact: (items, signal) => {
          if (isSlow.now) clock.advance(SLOW);
          return outside.table.transact(items, signal);
        },
      },
    }),
  });
  for (let at = 0; at < OBJECTS; at += 1) {
    const metadata = { ...nameOf(`home/o${at}`), uid: `o${at}` };
    await world.store.write(collection, metadata, () => ({ kind: 'put', body: { metadata } }));
  }
  const declared = { apiVersion: 'example.com/v1', kind: 'Widget', namespaced: true, fields: [] };
  if (kind === DEFINITIONS) await world.store.declare({ ...declared, collection, time: clock.now() });
  // The cursor is ahead, as if dispatch had sent all coming changes.
  await world.table.update(cursorKey(collection), { set: { position: 1_000_000 } });
  await world.put(name, {}, body, kind);
  isSlow.now = true;
  return {
    world,
    left: async () =>
      (await world.table.query({ partition: `object#${collection}`, from: '!', to: '~' })).rows.length,
    owner: () => world.store.get(kind, nameOf(name)),
    /** Runs one invocation for the message within the time limit. Returns its duration in ms. */
    async invoke(message: ReconcileMessage): Promise<number> {
      const began = clock.now();
      const end = clock.deadline(TIMING.reconcile - MARGIN);
      await world.reconciler.reconcile(message, end);
      return clock.now() - began;
    },
    /** The waiting reconcile messages. */
    async messages(): Promise<ReconcileMessage[]> {
      const bodies = await queues.drain(world.reconcileQueueUrl);
      return bodies.map(({ body }) => JSON.parse(body));
    },
  };
}

describe('a deletion that takes several invocations', () => {
  it.each(Object.keys(ENDINGS))(
    'the deletion continues without a pause and without a tick to its end: a %s',
    async (name) => {
      const ending = ENDINGS[name] as Ending;
      const { left, owner, invoke, messages } = await createEnding(ending);
      let waiting = [ending.message];
      const counts: number[] = [];
      while (waiting.length > 0 && counts.length < MOST) {
        expect(waiting).toEqual([{ ...ending.message, ...(counts.length > 0 && { hops: counts.length }) }]);
        const lasted = await invoke(waiting[0] as ReconcileMessage);
        // It stops early enough to finish its running calls.
        expect(lasted).toBeLessThan(TIMING.reconcile - MARGIN);
        counts.push(await left());
        waiting = await messages();
      }
      expect(counts.length).toBeGreaterThan(2);
      // Each invocation deleted some objects.
      expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => other - one));
      expect(await left()).toBe(0);
      expect(await owner()).toBeUndefined();
    },
  );

  it.each(Object.keys(ENDINGS))(
    'the deletion completes although an invocation dies and the message to continue is lost: a %s',
    async (name) => {
      const ending = ENDINGS[name] as Ending;
      const { world, left, owner, invoke, messages } = await createEnding(ending);
      let transactions = 0;
      world.faults.crash = (call) => {
        if (call !== 'table.transact') return undefined;
        transactions += 1;
        return transactions === 50 ? 'after' : undefined;
      };
      await world.handle(async () => void (await invoke(ending.message)));
      expect(world.errors.splice(0)).toHaveLength(1);
      world.faults.crash = undefined;

      // SQS delivers the message again.
      world.faults.send = (url) => (url === world.reconcileQueueUrl ? new Error('no answer') : undefined);
      await invoke(ending.message);
      world.faults.send = undefined;
      expect(await messages()).toEqual([]);
      expect(await left()).toBeGreaterThan(0);

      await world.reconciler.tick();
      let waiting = await messages();
      expect(waiting).toEqual([ending.message]);
      for (let count = 0; waiting.length > 0 && count < MOST; count += 1) {
        await invoke(waiting[0] as ReconcileMessage);
        waiting = await messages();
      }
      expect(await left()).toBe(0);
      expect(await owner()).toBeUndefined();
    },
  );
});
