import { setImmediate } from 'node:timers/promises';
import type { CollectOptions } from '../../../lib/controllers/collect/index.ts';
import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { type Logger, silentLogger } from '../../../lib/platform/index.ts';
import type { ObjectState, Store } from '../../../lib/store/index.ts';
import { Gauge } from '../gauge.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createMemoryQueues } from './memory-queues.ts';
import { seeded } from './memory-world.ts';
import { nameOf, PODS } from './watch-world.ts';

export const SETS: Collection = 'apps/replicasets';
export const NODES: Collection = 'core/nodes';

const KINDS: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  [SETS]: ['apps/v1', 'ReplicaSet'],
  [PODS]: ['v1', 'Pod'],
  [NODES]: ['v1', 'Node'],
};
/** Writes, reads of rows and hints take so many turns of the event loop: enough for others to overtake them. */
const SLOW = 3;

/** A reference to an object of this uid, which is its name as well where no other is said. */
export function reference(collection: Collection, uid: string, more: JsonObject = {}): JsonObject {
  const [apiVersion = '', kind = ''] = KINDS[collection] ?? [];
  return { apiVersion, kind, name: uid, uid, ...more };
}

/** What the rooms that collect are given, on a store in memory, with what they wrote, slept and told, in order. */
export function createCollecting() {
  const { table, clock, store } = createMemoryStore();
  const done: string[] = [];
  const gauge = new Gauge();
  const logged: unknown[] = [];
  const log = (message: string, data?: unknown) => void logged.push([message, data]);
  const slowly = async <Answer>(call: () => Promise<Answer>, named: (answer: Answer) => string) => {
    const answer = await gauge.slowly(SLOW, call);
    done.push(named(answer));
    return answer;
  };
  const queues = createMemoryQueues();
  /** What happens while it sleeps. */
  const meanwhile: (() => Promise<unknown>)[] = [];
  const slow: Store = {
    ...store,
    write: (collection, name, change, options) =>
      slowly(
        () => store.write(collection, name, change, options),
        ({ kind }) => `${kind} ${name.name}`,
      ),
  };
  const logger: Logger = { ...silentLogger, warn: log, info: log };
  const options: CollectOptions = {
    table,
    store: slow,
    queues,
    hints: {
      announce: (collection, rv) =>
        slowly(
          async () => {},
          () => `hints ${collection} ${rv}`,
        ),
      offer: async () => {},
      send: async () => {},
    },
    reconcileQueueUrl: 'memory://reconcile.fifo',
    resources: targetResources,
    clock: {
      now: () => clock.now(),
      deadline: (after) => clock.deadline(after),
      every: (milliseconds, look) => clock.every(milliseconds, look),
      sleep: async (milliseconds) => {
        for (let turn = 0; turn < 5 * SLOW; turn += 1) await setImmediate();
        done.push(`sleeps ${milliseconds}`);
        await meanwhile.shift()?.();
        clock.advance(milliseconds);
      },
    },
    random: seeded(1),
    logger,
  };
  return {
    table,
    clock,
    store,
    queues,
    options,
    /** Of writes and hints. */
    gauge,
    logged,
    meanwhile,
    /** What was done, in order, since it was asked last. */
    done: () => done.splice(0),
    /** An object, whose uid is its name. */
    async put(collection: Collection, name: string, metadata: JsonObject = {}, more: JsonObject = {}) {
      const named = nameOf(name);
      const [apiVersion = '', kind = ''] = KINDS[collection] ?? [];
      const body = { apiVersion, kind, metadata: { ...named, uid: named.name, ...metadata }, ...more };
      await store.write(collection, named, () => ({ kind: 'put', body }));
    },
    remove: (collection: Collection, name: string) =>
      store.write(collection, nameOf(name), (current) => ({ kind: 'delete', body: current?.body ?? {} })),
    state: (collection: Collection, name: string): Promise<ObjectState | undefined> =>
      store.get(collection, nameOf(name)),
    async metadata(collection: Collection, name: string) {
      return (await store.get(collection, nameOf(name)))?.body.metadata;
    },
  };
}
