import { setImmediate } from 'node:timers/promises';
import type { Queues } from '../../../lib/coordination/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import {
  type ObjectState,
  type Row,
  subscriptionKey,
  type Table,
  type Update,
} from '../../../lib/store/index.ts';
import { memberRow } from './members.ts';
import { createMemoryWorld } from './memory-world.ts';
import { nameOf, type Outside, PODS } from './watch-world.ts';

/** The first call of a reconciliation takes so many turns of the event loop, and each one less than the one before. */
const SLOWEST = 60;

/**
 * Reconciliations of `default/sub`, one by one, on a table and queues that take longer for a call than for the next one:
 * what does not wait for one is seen to be done before it.
 */
export async function createReconciling(spec: Parameters<typeof memberRow>[1] = {}) {
  const done: string[] = [];
  let created: Readonly<Record<string, string>> | undefined;
  let isNoting = true;
  let slowness = SLOWEST;
  /** What happens before a call; where it throws, the call fails. */
  const faults: { before?: (name: string) => unknown } = {};
  const slowly = async <Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> => {
    if (name === '' || !isNoting) return call();
    slowness = Math.max(1, slowness - 1);
    for (let turn = slowness; turn > 0; turn -= 1) await setImmediate();
    await faults.before?.(name);
    done.push(name);
    return call();
  };
  const reach = (_: unknown, { table, queues }: Outside): Outside => ({
    table: {
      ...table,
      update: (key, change, signal) =>
        slowly(namedUpdate(key.pk, change), () => table.update(key, change, signal)),
      put: (...request) => slowly('makes the row', () => table.put(...request)),
      delete: (...request) => slowly('deletes the row', () => table.delete(...request)),
      transact: (...request) => slowly('writes the object', () => table.transact(...request)),
    } satisfies Table,
    queues: {
      create: (name, options) => {
        created = options.attributes;
        return slowly('makes a queue', () => queues.create(name, options));
      },
      permit: (...request) => slowly('permits', () => queues.permit(...request)),
      delete: (...request) => slowly('deletes the queue', () => queues.delete(...request)),
      attributes: (...request) => slowly('looks for the queue', () => queues.attributes(...request)),
      tags: (...request) => slowly('looks for the tags', () => queues.tags(...request)),
      sendBatch: (url, messages, signal) =>
        slowly(namedSend(url, messages.length), () => queues.sendBatch(url, messages, signal)),
    } satisfies Queues,
  });
  const memory = await createMemoryWorld(1, { reach });
  const { world, queues } = memory;
  await world.subscribe('sub', spec);
  const object = async (): Promise<ObjectState> => {
    const state = await world.subscription('sub');
    if (state === undefined) throw new Error('no subscription');
    return state;
  };
  const { uid } = await object();
  const queueUrl = 'memory://sub';
  return {
    ...memory,
    uid,
    queueUrl,
    faults,
    /** What was done, in order, since it was asked last. */
    done: () => done.splice(0),
    /** The attributes of the queue that was made last. */
    created: () => created,
    row: () => world.table.get(subscriptionKey(PODS, uid)),
    set: (change: Partial<Row>) =>
      world.table.update(subscriptionKey(PODS, uid), { set: change as NonNullable<Update['set']> }),
    /** Its row, queue and status, as if it had been reconciled before. */
    async begun(change: Partial<Row> = {}) {
      await queues.create('sub', { attributes: {}, tags: {} });
      await world.store.write(SUBSCRIPTIONS, nameOf('default/sub'), (current) => ({
        kind: 'put',
        body: { ...current?.body, status: { observedGeneration: 1 } },
      }));
      await world.table.put({ ...memberRow('sub', spec, { uid }), queueName: 'sub', queueUrl, ...change });
      done.length = 0;
    },
    /** What the subscriber was sent, each event by its type and the object's name. */
    async received() {
      const messages = await queues.drain(queueUrl);
      return messages.map(({ body }) => {
        const { type, object: sent } = JSON.parse(body);
        return [type, sent.metadata.name ?? sent.message].filter((part) => part !== undefined).join(' ');
      });
    },
    /** Writes so many pods that nobody is hinted at. */
    async write(count: number, labels: Readonly<Record<string, string>> = {}): Promise<void> {
      for (let at = 0; at < count; at += 1) {
        const name = nameOf(`default/p${String(at).padStart(3, '0')}`);
        const metadata = { ...name, uid: name.name, labels: { ...labels } };
        await world.store.write(PODS, name, () => ({ kind: 'put', body: { kind: 'Pod', metadata } }));
      }
    },
    /** One reconciliation; what it does for itself is in {@link done} when it has ended. */
    async reconcile(more: { readonly isAdmitted?: boolean; readonly hops?: number } = {}): Promise<void> {
      isNoting = true;
      slowness = SLOWEST;
      const message = {
        kind: 'subscription',
        name: nameOf('default/sub'),
        uid,
        collection: PODS,
        ...more,
      } as const;
      try {
        await world.reconciler.reconcile(message);
      } finally {
        isNoting = false;
      }
    },
  };
}

function namedUpdate(pk: string, { set = {}, add, remove = [] }: Update): string {
  if (add?.members !== undefined) return 'raises the members';
  if (!pk.startsWith('subscriptions#')) return '';
  const { leaseHolder, leaseExpires, stored, ...rest } = set;
  if (leaseHolder !== undefined) return 'takes the lease';
  const names = Object.keys(rest).join(' ');
  if (names === '') return 'releases the lease';
  return `stores ${names}${remove.includes('leaseHolder') ? ', releases the lease' : ''}`;
}

function namedSend(url: string, count: number): string {
  if (url.includes('events')) return 'asks dispatch';
  return url.includes('reconcile') ? 'asks reconcile' : `sends ${count}`;
}

/** What is done of a row that there is, when a subscription is handed over, and to have dispatch admit it. */
export const TAKEN = ['takes the lease', 'looks for the queue'];
export const READY = 'membership failures nextAttempt failure recall, releases the lease';
export const ASKED = ['raises the members', 'asks dispatch'];
/** So many full batches. */
export const tens = (count: number): string[] => Array.from({ length: count }, () => 'sends 10');
/** What a row says of a subscription that catches up with this step, or reads the journal from here on. */
export const catching = (step: string, more: Partial<Row> = {}): Partial<Row> => {
  return { membership: 'catching-up', step, ...more };
};
export const journal = (position: number, more: Partial<Row> = {}): Partial<Row> =>
  catching('journal', { position, ...more });
