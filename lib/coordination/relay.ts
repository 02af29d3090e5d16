import type { Collection } from '../json/index.ts';
import { PLACEMENT_COLLECTIONS } from '../kubernetes/lifecycle/index.ts';
import { type Clock, type Logger, TIMING } from '../platform/index.ts';
import { parseGcTaskKey, parseJournalKey } from '../store/index.ts';
import { type Following, isFollowedAlways } from './followed.ts';
import type { Hints } from './hints.ts';
import { idOf } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { ReconcileRequests } from './reconcile-requests.ts';
import { wakeBinder } from './wake-binder.ts';

/** The key of an inserted row, from the table's stream. */
export interface InsertedKey {
  readonly pk: string;
  readonly sk: string;
}

export interface RelayOptions extends Following {
  /** Returns those of the collections that are marked as followed; default: all of them. */
  readonly marked?: (collections: readonly Collection[]) => Promise<ReadonlySet<Collection>>;
  readonly hints: Hints;
  readonly queues: Queues;
  readonly reconcileQueueUrl: string;
  /** The queue that wakes the binder, which binds pods. */
  readonly placementQueueUrl?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sends again the hints of writers, in case a writer crashed first. The newest of each collection is enough, because
 * dispatch reads the journal up to it. SQS drops duplicates. Collections that no Subscription or Tally selects get none.
 *
 * It also sends reconcile requests for due GC tasks. `tick` sends requests for the other tasks: tasks for owners, tasks
 * that were not due yet, and tasks whose request was lost.
 */
export async function relay(options: RelayOptions, keys: readonly InsertedKey[]): Promise<void> {
  const newest = new Map<Collection, number>();
  for (const key of keys) {
    const entry = parseJournalKey(key);
    if (entry === undefined) continue;
    newest.set(entry.collection, Math.max(entry.rv, newest.get(entry.collection) ?? 0));
  }
  await tellOfLooks(options, keys);
  await options.hints.send(await followedHints(options, newest));
  await tellOfPlacement(options, newest);
}

async function followedHints(options: RelayOptions, newest: ReadonlyMap<Collection, number>) {
  const hints = [...newest].map(([collection, rv]) => ({ collection, rv }));
  const unsure = [...newest.keys()].filter((collection) => !isFollowedAlways(collection, options));
  if (options.marked === undefined || unsure.length === 0) return hints;
  const marked = await options.marked(unsure);
  return hints.filter(({ collection }) => marked.has(collection) || !unsure.includes(collection));
}

/** Wakes the binder once for all changes that may give a pod a node, however many they are. */
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
    // `tick` batches the GC tasks for owners, because each invocation with such tasks sleeps for one grace.
    if (look === undefined || look.what === 'owners' || look.due > soon) continue;
    newest.set(look.shard, key);
  }
  for (const [shard, { sk }] of newest) notices.add({ kind: 'collect', shard }, idOf(sk));
  await notices.send();
}
