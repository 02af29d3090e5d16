import type { Collection } from '../json/index.ts';
import { PLACEMENT_COLLECTIONS } from '../kubernetes/lifecycle/index.ts';
import { type Clock, type Logger, TIMING } from '../platform/index.ts';
import { parseGcTaskKey, parseJournalKey } from '../store/index.ts';
import type { Hints } from './hints.ts';
import { idOf } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { ReconcileRequests } from './reconcile-requests.ts';
import { wakeBinder } from './wake-binder.ts';

/** The key of a row that was inserted, as the table's stream tells it. */
export interface InsertedKey {
  readonly pk: string;
  readonly sk: string;
}

export interface RelayOptions {
  readonly hints: Hints;
  readonly queues: Queues;
  readonly reconcileQueueUrl: string;
  /** Where pods are bound. */
  readonly placementQueueUrl?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Puts again the hints that a writer put, or died before it could: the newest of each collection is enough,
 * for dispatch reads the journal up to it. SQS drops those it has seen. And tells reconcile of looks that are due; of
 * those at owners, of those that are not due yet, and of any that it was not told of, the schedule does.
 */
export async function relay(options: RelayOptions, keys: readonly InsertedKey[]): Promise<void> {
  const newest = new Map<Collection, number>();
  for (const key of keys) {
    const entry = parseJournalKey(key);
    if (entry === undefined) continue;
    newest.set(entry.collection, Math.max(entry.rv, newest.get(entry.collection) ?? 0));
  }
  await tellOfLooks(options, keys);
  await options.hints.send([...newest].map(([collection, rv]) => ({ collection, rv })));
  await tellOfPlacement(options, newest);
}

/** Once for all that may give a pod a node, however much it is. */
async function tellOfPlacement(
  { placementQueueUrl: queueUrl, queues, logger }: RelayOptions,
  newest: ReadonlyMap<Collection, number>,
): Promise<void> {
  const told = PLACEMENT_COLLECTIONS.filter((collection) => newest.has(collection));
  if (queueUrl === undefined || told.length === 0) return;
  const occasion = told.map((collection) => `${collection}/${newest.get(collection)}`).join('/');
  await wakeBinder({ queues, queueUrl, logger }, occasion);
}

async function tellOfLooks(options: RelayOptions, keys: readonly InsertedKey[]): Promise<void> {
  const notices = new ReconcileRequests(options, 0);
  // The writer's clock may be ahead.
  const soon = options.clock.now() + TIMING.skew;
  const newest = new Map<number, InsertedKey>();
  for (const key of keys) {
    const look = parseGcTaskKey(key);
    // Looks at owners wait for each other: each invocation that has some sleeps for a grace.
    if (look === undefined || look.what === 'owners' || look.due > soon) continue;
    newest.set(look.shard, key);
  }
  for (const [shard, { sk }] of newest) notices.add({ kind: 'collect', shard }, idOf(sk));
  await notices.send();
}
