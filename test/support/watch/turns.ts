import { parseCursor } from '../../../lib/coordination/cursor.ts';
import { createHints, type Queues } from '../../../lib/coordination/index.ts';
import { ReconcileRequests } from '../../../lib/coordination/reconcile-requests.ts';
import { KnownStates } from '../../../lib/delivery/dispatch/known-states.ts';
import { runRound } from '../../../lib/delivery/dispatch/run-round.ts';
import { SendGate } from '../../../lib/delivery/dispatch/send-gate.ts';
import { MemberIndexes } from '../../../lib/delivery/dispatch/subscription-indexes.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { type Logger, MEMORY, silentLogger } from '../../../lib/platform/index.ts';
import { openAuthority } from '../../../lib/server/index.ts';
import {
  createStore,
  cursorKey,
  type Row,
  type Store,
  subscriptionKey,
  subscriptionsPartition,
} from '../../../lib/store/index.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { Gauge } from '../gauge.ts';
import { createFaultyTable } from '../store/faulty-table.ts';
import { createMemoryTable } from '../store/memory-table.ts';
import { memberRow, targetOf } from './members.ts';
import { createMemoryQueues, type Received } from './memory-queues.ts';
import { seeded } from './memory-world.ts';

const COLLECTION = 'core/pods';
const HOLDER = 'me';
/** A call takes so many turns of the event loop: enough for others to overtake it. */
const SLOW = 5;

/**
 * Single turns of dispatch over pods, under the lease of `me`, on a table and queues in memory whose answers take a
 * moment: what does not wait for one is seen to be done before it.
 */
export async function createTurns() {
  const clock = new OwnedClock();
  const random = seeded(1);
  const rows = createMemoryTable();
  const done: string[] = [];
  const gauge = new Gauge();
  const slowly = async <Answer>(name: string, call: () => Promise<Answer>, turns = SLOW): Promise<Answer> => {
    const answer = await gauge.slowly(turns, call);
    done.push(name);
    return answer;
  };
  const table = createFaultyTable(rows, {
    // What does not wait for a tally is seen to be done before it.
    update: (next, key, change, signal) =>
      slowly(key.sk, () => next(key, change, signal), key.pk.startsWith('tally#') ? 4 * SLOW : SLOW),
  });
  const logged: { readonly message: string; readonly data: unknown }[] = [];
  const log = (message: string, data?: unknown) => void logged.push({ message, data });
  const logger: Logger = { ...silentLogger, debug: log, error: log };
  const memory = createMemoryQueues();
  /** Before a batch goes to a queue. */
  const faults: { send?: (url: string) => Promise<unknown> | undefined } = {};
  const queues: Queues = {
    ...memory,
    sendBatch: (url, messages) =>
      slowly(`send ${url}`, async () => {
        await faults.send?.(url);
        return memory.sendBatch(url, messages);
      }),
  };
  const store = createStore({ table: rows, clock, random, logger });
  const known = new KnownStates();
  const target = targetOf('pods');
  const reconcileQueueUrl = await memory.create('reconcile.fifo', {
    attributes: { FifoQueue: 'true' },
    tags: {},
  });
  await rows.put({ ...cursorKey(COLLECTION), leaseHolder: HOLDER });
  const eventQueueUrl = await memory.create('events.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const hints = createHints({ queues, queueUrl: eventQueueUrl, logger });
  const load = { most: 2_000, heap: MEMORY.shard, isLong: false };
  let pods = 0;

  return {
    rows,
    table,
    store,
    known,
    target,
    clock,
    faults,
    /** The updates of rows, by sort key, and the sends, by queue, as they ended. */
    done,
    /** Of these. */
    gauge,
    /** When the group is split. */
    load,
    logged,
    /** Writes so many pods; answers the head. */
    async write(count: number): Promise<number> {
      for (let at = 0; at < count; at += 1) {
        pods += 1;
        const metadata = { namespace: 'default', name: `p${pods}`, uid: `p${pods}` };
        await store.write(COLLECTION, metadata, () => ({ kind: 'put', body: { kind: 'Pod', metadata } }));
      }
      return store.head(COLLECTION);
    },
    /** A subscription to all of them, in this state; the uid tells its place. */
    async subscriber(name: string, state: Partial<Row>, uid = `uid-${name}`): Promise<void> {
      const queueUrl = await memory.create(`${name}.fifo`, { attributes: { FifoQueue: 'true' }, tags: {} });
      await rows.put({ ...memberRow(name, {}, { uid }), queueUrl, ...state });
    },
    row: (name: string) => rows.get(subscriptionKey(COLLECTION, `uid-${name}`)),
    async states(): Promise<readonly Row[]> {
      return (await rows.query({ partition: subscriptionsPartition(COLLECTION), from: '!', to: '~' })).rows;
    },
    setCursor: (change: Readonly<Record<string, number | string>>) =>
      rows.update(cursorKey(COLLECTION), { set: change }),
    drain: (name: string): Promise<Received[]> => memory.drain(`memory://${name}.fifo`),
    /** One turn for a hint at `rv`; `reach` is what it has of the store. */
    async take(rv: number, reach: (store: Store) => Store = (one) => one) {
      const options = { table, store: reach(store), queues, resources: targetResources, clock, logger };
      const authority = openAuthority({ clock });
      const notices = new ReconcileRequests({ queues: memory, reconcileQueueUrl, logger }, 0);
      const moved = await runRound({
        ...options,
        authority,
        indexes: new MemberIndexes(),
        known,
        hints,
        load,
        gate: new SendGate(),
        hops: 1,
        group: 0,
        admissions: 25,
        cursor: parseCursor(await rows.get(cursorKey(COLLECTION))),
        target,
        hint: { collection: COLLECTION, rv },
        head: undefined,
        holder: HOLDER,
        deadline: new AbortController().signal,
        notices,
      });
      await notices.send();
      return moved;
    },
  };
}

export type Turns = Awaited<ReturnType<typeof createTurns>>;
