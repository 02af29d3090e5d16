import type { Hints, Queues } from '../../coordination/index.ts';
import {
  hasNewMembers,
  isTerminating,
  type KnownResources,
  type ReconcileMessage,
  reconcileMessage,
  sendAll,
  shardName,
  withDeclared,
} from '../../coordination/index.ts';
import {
  type Authority,
  authorsOf,
  beginSeen,
  everyObject,
  groupsFrom,
  isTally,
  isUnderWay,
  journalLag,
  type Lagging,
  loadTalliesDue,
  ofTally,
  readStatesAs,
  type ShardCursor,
  type SubscriptionState,
  selectedFrom,
  shardOfUid,
  verdictNow,
  whyWaiting,
  workOf,
} from '../../delivery/index.ts';
import { type Collection, metadataOf, objectAt } from '../../json/index.ts';
import { NAMESPACES, SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { type Clock, type Logger, type Metrics, mapBounded } from '../../platform/index.ts';
import {
  cursorKey,
  dueGcTasks,
  GC_TASK_SHARDS,
  headKey,
  type ObjectState,
  parseGcTaskKey,
  readDeclared,
  type Store,
  type Table,
} from '../../store/index.ts';
import { compact } from './compaction.ts';
import { definitionsDue } from './definitions-due.ts';

export interface TickOptions extends KnownResources {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly authority: Authority;
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

  const admitting = new Set(lagging.filter(hasNewMembers).map(shardName));
  const hasTallies = stands.some(({ collection, rv }) => collection === TALLIES && rv !== 0);
  const tallies = hasTallies ? await everyObject(options.store, TALLIES) : [];
  const subscribed = await readSubscribed({ ...options, all, tallies });
  const namespaces = await everyObject(options.store, NAMESPACES);
  const groups = groupsOf(stands);
  const regranted = await regrantedOf(options, [...subscribed.states.values()]);
  const due = [
    ...subscriptionsDue({ ...options, ...subscribed, regranted, all, admitting, namespaces, groups }),
    ...(hasTallies
      ? (await loadTalliesDue()).talliesDue({
          ...options,
          ...subscribed,
          regranted,
          tallies,
          namespaces,
          all,
        })
      : []),
    ...namespacesDue(namespaces),
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
type Stand = ShardCursor & Lagging;

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

interface Subscribed {
  readonly subscriptions: readonly ObjectState[];
  /** By uid. */
  readonly states: ReadonlyMap<string, SubscriptionState>;
}

async function readSubscribed({
  store,
  table,
  resources,
  collections,
  all,
  tallies,
}: TickOptions & { readonly tallies: readonly ObjectState[] }): Promise<Subscribed> {
  const states = new Map<string, SubscriptionState>();
  const subscriptions = await everyObject(store, SUBSCRIPTIONS, withoutTexts);
  const targets = new Set(all ? collections : [...subscriptions, ...tallies].map(selectedFrom));
  for (const collection of targets) {
    const target = resources.of(collection);
    if (target === undefined) continue;
    // By what they select nothing is decided here, and one tenant's selectors may be long.
    const pick = (state: SubscriptionState) => ({ ...state, selector: '', fieldSelector: '', from: '' });
    for (const state of await readStatesAs(table, target, { pick })) states.set(state.uid, state);
  }
  return { subscriptions, states };
}

/** A Subscription without what it selects by, and without the annotations that its author chooses. */
function withoutTexts(object: ObjectState): ObjectState {
  const { annotations: _annotations, managedFields: _fields, ...metadata } = metadataOf(object.body);
  const {
    labelSelector: _text,
    selector: _selector,
    fieldSelector: _ofFields,
    ...spec
  } = objectAt(object.body.spec);
  return { ...object, body: { ...object.body, metadata, spec } };
}

/** The uids of those whose states do not say what is decided of their authors now. */
async function regrantedOf(
  { authority, store, resources, clock }: TickOptions,
  states: readonly SubscriptionState[],
): Promise<ReadonlySet<string>> {
  const authors = authorsOf(states);
  if (authors.length === 0) return new Set();
  await beginSeen({ store, clock }, authors);
  const verdictOf = await authority.now(store, authors);
  const isRegranted = (state: SubscriptionState) => {
    const target = resources.of(state.collection);
    if (target === undefined) return false;
    const verdict = verdictNow(verdictOf, state, target);
    const { scope, standing } = isTally(state) ? ofTally(verdict) : verdict;
    return scope !== state.scope || standing !== state.standing;
  };
  return new Set(states.filter(isRegranted).map(({ uid }) => uid));
}

interface DueOptions extends TickOptions, Subscribed {
  /** The uids of those whose authors may see other objects than they tell of. */
  readonly regranted: ReadonlySet<string>;
  /** The names of the groups that were hinted to look who is ready, before the states are read. */
  readonly admitting: ReadonlySet<string>;
  readonly groups: ReadonlyMap<Collection, readonly ShardCursor[]>;
  /** All that there are. */
  readonly namespaces: readonly ObjectState[];
}

function subscriptionsDue(options: DueOptions): ReconcileMessage[] {
  const { subscriptions, states } = options;
  const catchingUp = [...states.values()].filter(
    (state) => !isTally(state) && state.membership === 'catching-up' && state.suspended === 0,
  );
  options.metrics?.record('CatchingUpSubscriptions', catchingUp.length);
  const waits = new Map(
    subscriptions.map((object) => [object.uid, whyWaiting(object, states.get(object.uid), options)]),
  );
  logWaiting(options, [...waits.values()]);
  const due = subscriptions.flatMap((object): ReconcileMessage[] => {
    const collection = selectedFrom(object);
    const why = waits.get(object.uid);
    const groups = options.groups.get(collection);
    const group = groups && shardName(shardOfUid(groups, object.uid));
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
  return [...states.values()].filter((state) => !isTally(state) && !known.has(state.uid)).map(workOf);
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

function namespacesDue(namespaces: readonly ObjectState[]): ReconcileMessage[] {
  return namespaces
    .filter(isTerminating)
    .map((namespace) => ({ kind: 'namespace', name: namespace.name.name }));
}

/** Shards that have looks which are due; how long the oldest of all has been is measured. */
async function looksDue({ table, clock, metrics }: TickOptions): Promise<ReconcileMessage[]> {
  const now = clock.now();
  const shards = Array.from({ length: GC_TASK_SHARDS }, (_, shard) => shard);
  const oldest = await mapBounded(shards, AT_ONCE, async (shard) => {
    const [look] = await dueGcTasks(table, { shard, until: now, limit: 1 });
    return look === undefined ? [] : [{ shard, due: parseGcTaskKey(look.key)?.due ?? now }];
  });
  metrics?.record('LookLag', Math.max(0, ...oldest.flat().map(({ due }) => now - due)));
  return oldest.flat().map(({ shard }) => ({ kind: 'collect', shard }));
}
