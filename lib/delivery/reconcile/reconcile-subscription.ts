import type { ReconcileMessage } from '../../coordination/index.ts';
import { acquireLease, type LeaseOptions, releaseLease } from '../../coordination/index.ts';
import { metadataOf, objectAt } from '../../json/index.ts';
import { EVENT_RECORDS, type EventRecord, SUBSCRIPTIONS } from '../../kubernetes/lifecycle/index.ts';
import { QUEUE_FINALIZER, readSubscription, type TargetResources } from '../../kubernetes/winnow/index.ts';
import { TIMING } from '../../platform/index.ts';
import { type Row, subscriptionKey } from '../../store/index.ts';
import { type AuthoredOptions, authoredNow } from '../authority/index.ts';
import { forgetProved } from '../proofs/index.ts';
import { bumpSubscriptions } from '../shards/index.ts';
import {
  accessOf,
  arnOfQueue,
  type FirstRowGiven,
  firstRow,
  type Phase,
  parseState,
  type SubscriptionState,
  writeSubscriptionStatus,
} from '../subscription/index.ts';
import { closeTally } from '../tallies/index.ts';
import { CatchUp, type CatchUpOptions } from './catch-up.ts';
import { namespacesNow } from './namespaces-now.ts';
import { allowedReceivers } from './receivers-of.ts';
import { tellHappenings } from './record-events.ts';
import { releaseObject } from './release-object.ts';
import { createQueue, newQueueName } from './subscription-queue.ts';
import { violationOf } from './violation-of.ts';

export interface ReconcileOptions extends CatchUpOptions, AuthoredOptions {
  readonly resources: TargetResources;
}

type SubscriptionMessage = Extract<ReconcileMessage, { kind: 'subscription' }>;

/**
 * Brings one subscription's queue and state to what its object requests. It creates the queue, sends the snapshot,
 * follows the journal to its head, and hands over to dispatch. Every step is stored before the next, so that a crash
 * repeats at most one step.
 */
export async function reconcileSubscription(
  options: ReconcileOptions,
  message: SubscriptionMessage,
): Promise<void> {
  const object = await options.store.get(SUBSCRIPTIONS, message.name);
  if (object === undefined || object.uid !== message.uid) return cleanUp(options, message);
  if (metadataOf(object.body).deletionTimestamp !== undefined) {
    await cleanUp(options, message);
    return releaseObject(options.store, object, { collection: SUBSCRIPTIONS, finalizer: QUEUE_FINALIZER });
  }

  const spec = readSubscription(object.body, options.resources);
  const selected = await namespacesNow(options.store, spec);
  const generation = Number(metadataOf(object.body).generation ?? 1);
  const authored = await authoredNow(options, object, spec);
  const key = subscriptionKey(message.collection, message.uid);
  const holder = options.random.uuid();
  const lease: LeaseOptions = {
    table: options.table,
    clock: options.clock,
    key,
    holder,
    lifetime: TIMING.reconcileLease,
    condition: [{ attribute: 'sk', is: '=', value: key.sk }],
  };
  const isTold = objectAt(object.body.status).observedGeneration !== undefined;
  const taken = await takeRow(options, {
    lease,
    message,
    spec,
    generation,
    namespaces: selected.namespaces,
    author: authored.author,
    scope: authored.scope,
    isTold,
  });
  // Another process reconciles it. If that process crashes, `tick` requests another reconcile.
  if (taken === undefined) return;
  const { row, isNew } = taken;
  const state = parseState(row, spec.target);
  const isAdmitted = message.isAdmitted === true;
  const violation = isAdmitted
    ? state.violation
    : await violationOf(options, { body: object.body, sending: { spec, state } });
  const catchUp = new CatchUp(options, {
    // Once the operator enforces the rules, Winnow sends nothing for a Subscription that breaks them.
    spec: { ...spec, suspended: spec.suspended || (violation !== '' && options.rules.enforced) },
    violation,
    generation,
    selected,
    authored,
    holder,
    hops: (message.hops ?? 0) + 1,
    isAdmitted,
    state,
  });
  let phase: Phase | undefined;
  try {
    await catchUp.run();
    // Dispatch activates it soon, and its status is written then.
    if (!catchUp.isHandedOver) phase = await writeSubscriptionStatus(options, message.name, catchUp.state);
  } finally {
    if (!catchUp.isHandedOver) await releaseLease(lease, catchUp.depth);
  }
  await tellHappenings(options, SUBSCRIPTIONS, object, happened(options, catchUp, phase));
  if (!isNew) return;
  // The object and its row may have been deleted since the read. Check again, now that there is a row.
  const now = await options.store.get(SUBSCRIPTIONS, message.name);
  if (now?.uid !== message.uid) await cleanUp(options, message);
}

/** The Events of the reconciliation, and those that follow from the new phase. */
function happened(
  { queueArns }: ReconcileOptions,
  { happened: done, state }: CatchUp,
  phase: Phase | undefined,
): readonly EventRecord[] {
  if (phase === 'Synced') return [...done, EVENT_RECORDS.synced(arnOfQueue(state, queueArns))];
  const isTold = done.some(({ type }) => type === 'Warning');
  return phase === 'Failing' && !isTold ? [...done, EVENT_RECORDS.sendFailed(state.failure)] : done;
}

interface Taking extends Pick<FirstRowGiven, 'spec' | 'generation' | 'namespaces' | 'author' | 'scope'> {
  readonly lease: LeaseOptions;
  readonly message: SubscriptionMessage;
  /** Whether the object has a status. An object with a status should have a row. */
  readonly isTold: boolean;
}

interface Taken {
  readonly row: Row;
  readonly isNew: boolean;
}

/** Takes the lease on the existing row or a new one. Returns undefined if another process holds it. */
async function takeRow(options: ReconcileOptions, taking: Taking): Promise<Taken | undefined> {
  const { lease, isTold } = taking;
  const take = async () => {
    const row = await acquireLease(lease);
    return row && { row, isNew: false };
  };
  const begin = () => beginRow(options, taking);
  return isTold ? ((await take()) ?? begin()) : ((await begin()) ?? take());
}

/** Creates a row that carries the lease. Returns undefined if there is one already. */
async function beginRow(options: ReconcileOptions, taking: Taking): Promise<Taken | undefined> {
  const { lease, message, spec } = taking;
  const access = accessOf(allowedReceivers(spec.consumers, options.rules));
  const { name, uid } = message;
  const head = await options.store.head(message.collection);
  const queueName = spec.queueArn.split(':').at(-1) || newQueueName(options, { name, fifo: spec.fifo });
  const row = {
    ...firstRow({ ...taking, name, uid, access, queueName, head }),
    leaseHolder: lease.holder,
    leaseExpires: options.clock.now() + lease.lifetime,
  };
  const { outcome } = await options.table.put(row, [{ missing: 'pk' }]);
  return outcome === 'done' ? { row, isNew: true } : undefined;
}

/** Deletes the queue and the state of a subscription that is deleted or terminating. */
async function cleanUp(
  options: ReconcileOptions,
  { collection, uid, name }: Pick<SubscriptionState, 'collection' | 'uid' | 'name'>,
): Promise<void> {
  const { table, queues } = options;
  const row = await table.get(subscriptionKey(collection, uid));
  if (row === undefined) return;
  const { queueName, queueArn, fifo } = row;
  if (queueArn) await forgetProved(options, { collection, uid, name, queueArn: String(queueArn) });
  // User-owned queues stay. If the URL of a queue was never stored, creating the queue again returns it.
  const found =
    !queueArn &&
    (row.queueUrl ||
      (queueName && (await createQueue(options, String(queueName), { uid, name, fifo: fifo === true }))));
  if (found) await queues.delete(String(found));
  // This precedes the deletion of the state row, which shows that there is a digest.
  if (row.tally) await closeTally(table, options.clock, uid);
  await table.delete(subscriptionKey(collection, uid));
  await bumpSubscriptions(options, { collection, uid });
}
