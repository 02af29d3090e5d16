import { TIMING } from '../platform/index.ts';
import { metadataOf, type ObjectState, subscriptionKey } from '../store/index.ts';
import { CatchUp, type CatchUpOptions } from './catch-up.ts';
import { raiseMembers } from './cursor.ts';
import { acquireLease, releaseLease } from './lease.ts';
import type { ReconcileMessage } from './messages.ts';
import { QUEUE_FINALIZER, readSubscription, SUBSCRIPTIONS, type TargetResources } from './subscription.ts';
import { createQueue } from './subscription-queue.ts';
import { firstRow, parseState, type SubscriptionState } from './subscription-state.ts';
import { writeSubscriptionStatus } from './subscription-status.ts';

export interface ReconcileOptions extends CatchUpOptions {
  readonly resources: TargetResources;
}

/**
 * Brings one subscription's queue and state to what its object says: makes the queue, sends the snapshot, reads
 * the journal on until it meets the head, and hands over to dispatch. Every step is stored before the next, so
 * that a crash repeats at most one.
 */
export async function reconcileSubscription(
  options: ReconcileOptions,
  message: Extract<ReconcileMessage, { kind: 'subscription' }>,
): Promise<void> {
  const object = await options.store.get(SUBSCRIPTIONS, message.name);
  if (object === undefined || object.uid !== message.uid) return cleanUp(options, message);
  if (metadataOf(object.body).deletionTimestamp !== undefined) {
    await cleanUp(options, message);
    return releaseObject(options, object);
  }

  const hops = (message.hops ?? 0) + 1;
  const spec = readSubscription(object.body, options.resources);
  const generation = Number(metadataOf(object.body).generation ?? 1);
  const key = subscriptionKey(message.collection, message.uid);
  const first = firstRow(message.name, message.uid, spec, generation);
  const { outcome } = await options.table.put(first, [{ missing: 'pk' }]);
  // The object may have gone since it was read, and its row with it: look again, now that there is a row.
  if (outcome === 'done') return reconcileSubscription(options, message);
  const holder = options.random.uuid();
  const lease = {
    ...{ table: options.table, clock: options.clock, key, holder, lifetime: TIMING.reconcileLease },
    condition: [{ attribute: 'sk', is: '=', value: key.sk }] as const,
  };
  const row = await acquireLease(lease);
  // Somebody is at it; should they die, the schedule asks again.
  if (row === undefined) return;
  try {
    const catchUp = new CatchUp(options, {
      hops,
      spec,
      generation,
      holder,
      state: parseState(row, spec.target),
    });
    await catchUp.run();
    await writeSubscriptionStatus(options, message.name, catchUp.state);
  } finally {
    await releaseLease(lease);
  }
}

/** Deletes the queue and the state of a subscription that is gone or going. */
async function cleanUp(
  options: ReconcileOptions,
  { collection, uid, name }: Pick<SubscriptionState, 'collection' | 'uid' | 'name'>,
): Promise<void> {
  const { table, queues } = options;
  const row = await table.get(subscriptionKey(collection, uid));
  if (row === undefined) return;
  const { queueName, fifo } = row;
  // A queue whose URL was never stored is found by making it.
  const found =
    row.queueUrl ||
    (queueName && (await createQueue(options, String(queueName), { uid, name, fifo: fifo === true })));
  if (found) await queues.delete(String(found));
  await table.delete(subscriptionKey(collection, uid));
  await raiseMembers(table, collection);
}

/** Takes our finalizer off; the object goes with the last one. */
async function releaseObject({ store }: ReconcileOptions, object: ObjectState): Promise<void> {
  await store.write(SUBSCRIPTIONS, object.name, (current) => {
    if (current === undefined || current.uid !== object.uid) return { kind: 'none' };
    const metadata = metadataOf(current.body);
    const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
    const others = finalizers.filter((finalizer) => finalizer !== QUEUE_FINALIZER);
    if (others.length === 0) return { kind: 'delete', body: current.body };
    if (others.length === finalizers.length) return { kind: 'none' };
    return { kind: 'put', body: { ...current.body, metadata: { ...metadata, finalizers: others } } };
  });
}
