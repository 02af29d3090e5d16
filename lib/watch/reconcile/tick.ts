import { type Clock, type Logger, type Metrics, mapBounded } from '../../platform/index.ts';
import {
  type Collection,
  collectionOf,
  cursorKey,
  dueLooks,
  headKey,
  LOOK_SHARDS,
  type ObjectState,
  objectAt,
  parseLookKey,
  readDeclared,
  type Store,
  type Table,
} from '../../store/index.ts';
import { hasNewMembers } from '../cursor.ts';
import { type GroupCursor, groupOfUid, groupsFrom } from '../groups/index.ts';
import type { Hints } from '../hints.ts';
import { groupName, type ReconcileMessage, reconcileMessage } from '../internal-messages.ts';
import { isTerminating } from '../is-terminating.ts';
import { journalLag, type Lagging } from '../journal-lag.ts';
import { type KnownResources, withDeclared } from '../known-resources.ts';
import { NAMESPACES, SUBSCRIPTIONS } from '../own-collections.ts';
import type { Queues } from '../queues.ts';
import { sendAll } from '../send.ts';
import { readStates, type SubscriptionState } from '../subscription-state.ts';
import { compact } from './compaction.ts';
import { definitionsDue } from './definitions-due.ts';
import { everyObject } from './every-object.ts';
import { isUnderWay, whyWaiting } from './why-waiting.ts';

export interface TickOptions extends KnownResources {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly reconcileQueueUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Look after every subscription now, also one that seems well: its queue may be gone. */
  readonly all: boolean;
}

const AT_ONCE = 4;
/** In one of so many minutes subscriptions that seem well are looked after too. */
const LOOK_AFTER_ALL = 15;

/**
 * What the schedule does every minute, so that nothing depends on any one message: hints wherever a cursor is
 * behind its head, a reconciliation for every subscription that is due, for every Terminating namespace and for looks
 * that are due, and compaction. The minute is part of every deduplication id. How far things are behind is measured on the way.
 */
export async function tick(given: TickOptions): Promise<void> {
  const declared = await readDeclared(given.table);
  const options = { ...given, ...withDeclared(given, declared) };
  const minutes = Math.floor(options.clock.now() / 60_000);
  const minute = `minute/${minutes}`;
  const stands = await readStands(options);
  const lagging = await hintWhereBehind(options, stands, minute);
  const all = options.all || minutes % LOOK_AFTER_ALL === 0;

  const admitting = new Set(lagging.filter(hasNewMembers).map(groupName));
  const due = [
    ...(await subscriptionsDue({ ...options, all, admitting, groups: groupsOf(stands) })),
    ...(await namespacesDue(options)),
    ...(await looksDue(options)),
    ...(await definitionsDue(options, declared)),
  ];
  await sendAll(
    options.queues,
    options.reconcileQueueUrl,
    due.map((message) => reconcileMessage(message, minute)),
  );
  // Most kinds are nobody's: a collection that never had a change has no journal.
  const written = stands
    .filter(({ rv, group }) => rv !== 0 && group === 0)
    .map(({ collection }) => collection);
  const ages = await mapBounded(written, AT_ONCE, (collection) => compact(options, collection));
  options.metrics?.record('OldestEntryAge', Math.max(0, ...ages));
  // It takes a read for each collection that is behind.
  if (options.metrics !== undefined) options.metrics.record('JournalLag', await journalLag(options, lagging));
}

/** How far dispatch is with a group of subscriptions; `rv` is the collection's, 0 where there never was a change. */
type Stand = GroupCursor & Lagging;

/** How far every collection is, by its groups. */
async function readStands({ table, collections }: TickOptions): Promise<Stand[]> {
  const keys = collections.flatMap((collection) => [headKey(collection), cursorKey(collection)]);
  const rows = new Map((await table.batchGet(keys)).map((row) => [`${row.pk} ${row.sk}`, row]));
  const stands = await mapBounded(collections, AT_ONCE, async (collection) => {
    const head = headKey(collection);
    const rv = Number(rows.get(`${head.pk} ${head.sk}`)?.rv ?? 0);
    const groups = await groupsFrom(table, collection, rows.get(`${head.pk} ${cursorKey(collection).sk}`));
    return groups.map((group) => ({ ...group, rv }));
  });
  return stands.flat();
}

function groupsOf(stands: readonly Stand[]): ReadonlyMap<Collection, readonly Stand[]> {
  return Map.groupBy(stands, ({ collection }) => collection);
}

async function hintWhereBehind(
  { hints }: TickOptions,
  stands: readonly Stand[],
  minute: string,
): Promise<Stand[]> {
  const lagging = stands.filter((stand) => stand.position < stand.rv || hasNewMembers(stand));
  const behind = lagging.map(({ collection, group, rv }) => ({ collection, group, rv }));
  await hints.send(behind, minute);
  return lagging;
}

interface DueOptions extends TickOptions {
  /** The names of the groups that were hinted to look who is ready, before the states are read. */
  readonly admitting: ReadonlySet<string>;
  readonly groups: ReadonlyMap<Collection, readonly GroupCursor[]>;
}

async function subscriptionsDue(options: DueOptions): Promise<ReconcileMessage[]> {
  const states = new Map<string, SubscriptionState>();
  const subscriptions = await everyObject(options.store, SUBSCRIPTIONS);
  const selected = subscriptions.map(selectedFrom);
  const targets = new Set(options.all ? options.collections : selected);
  for (const collection of targets) {
    const target = options.resources.of(collection);
    if (target === undefined) continue;
    for (const state of await readStates(options.table, target)) states.set(state.uid, state);
  }
  const catchingUp = [...states.values()].filter(
    ({ membership, suspended }) => membership === 'catching-up' && suspended === 0,
  );
  options.metrics?.record('CatchingUpSubscriptions', catchingUp.length);
  const waits = new Map(
    subscriptions.map((object) => [object.uid, whyWaiting(object, states.get(object.uid))]),
  );
  logWaiting(options, [...waits.values()]);
  const due = subscriptions.flatMap((object): ReconcileMessage[] => {
    const collection = selectedFrom(object);
    const why = waits.get(object.uid);
    const groups = options.groups.get(collection);
    const group = groups && groupName(groupOfUid(groups, object.uid));
    const isAdmitting = group !== undefined && options.admitting.has(group);
    const looked = { object, state: states.get(object.uid), isAdmitting, now: options.clock.now() };
    const isServed = options.resources.of(collection) !== undefined;
    const isDue = options.all || (why !== undefined && !isUnderWay(why, looked));
    if (!isTerminating(object) && !(isServed && isDue)) return [];
    return [{ kind: 'subscription', name: object.name, uid: object.uid, collection }];
  });
  return [...due, ...withoutObject(subscriptions, states)];
}

/** States whose object went without reconcile: somebody took its finalizer off, and the notice of that was lost. */
function withoutObject(
  subscriptions: readonly ObjectState[],
  states: ReadonlyMap<string, SubscriptionState>,
): ReconcileMessage[] {
  const known = new Set(subscriptions.map(({ uid }) => uid));
  return [...states.values()]
    .filter(({ uid }) => !known.has(uid))
    .map(({ name, uid, collection }) => ({ kind: 'subscription', name, uid, collection }));
}

function logWaiting({ logger }: TickOptions, waits: readonly (string | undefined)[]): void {
  const waiting = waits.filter((why) => why !== undefined);
  if (waiting.length === 0) return;
  const why = Object.entries(Object.groupBy(waiting, (reason) => reason)).map(([reason, all]) => [
    reason,
    all?.length ?? 0,
  ]);
  logger.info('subscriptions wait', {
    waiting: waiting.length,
    of: waits.length,
    why: Object.fromEntries(why),
  });
}

function selectedFrom(object: ObjectState): Collection {
  const spec = objectAt(object.body.spec);
  const { group = '', resource } = objectAt(spec.resource);
  return collectionOf(String(group), String(resource));
}

async function namespacesDue({ store }: TickOptions): Promise<ReconcileMessage[]> {
  const namespaces = await everyObject(store, NAMESPACES);
  return namespaces
    .filter(isTerminating)
    .map((namespace) => ({ kind: 'namespace', name: namespace.name.name }));
}

/** Shards that have looks which are due; how long the oldest of all has been is measured. */
async function looksDue({ table, clock, metrics }: TickOptions): Promise<ReconcileMessage[]> {
  const now = clock.now();
  const shards = Array.from({ length: LOOK_SHARDS }, (_, shard) => shard);
  const oldest = await mapBounded(shards, AT_ONCE, async (shard) => {
    const [look] = await dueLooks(table, { shard, until: now, limit: 1 });
    return look === undefined ? [] : [{ shard, due: parseLookKey(look.key)?.due ?? now }];
  });
  metrics?.record('LookLag', Math.max(0, ...oldest.flat().map(({ due }) => now - due)));
  return oldest.flat().map(({ shard }) => ({ kind: 'collect', shard }));
}
