import type { Following, Hints, Queues } from '../../coordination/index.ts';
import {
  hasNewMembers,
  isFollowed,
  isFollowedByMark,
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
  isHeld,
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

export interface TickOptions extends KnownResources, Following {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly authority: Authority;
  readonly reconcileQueueUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Reconcile every subscription now, also healthy ones, because their queues may be gone. */
  readonly all: boolean;
}

const AT_ONCE = 4;
const MINUTE = 60_000;
/** Every so many minutes, healthy subscriptions are reconciled too. */
const LOOK_AFTER_ALL = 15;
/** Later than every GC task, in ms since the epoch. */
const ANY_TIME = Number.MAX_SAFE_INTEGER;

/**
 * The tick: what the schedule runs every minute, so that nothing depends on any one message. It does the following:
 *
 * - sends hints wherever a cursor is behind its head
 * - requests reconciliation of every subscription that is due, of every Terminating namespace, and of GC tasks that
 *   are due
 * - compacts journals
 * - measures how far things are behind
 *
 * The minute is part of every deduplication id. It returns when a tick has something to do again, in ms since the epoch,
 * if nothing is written before.
 */
export async function tick(given: TickOptions): Promise<number> {
  const declared = await readDeclared(given.table);
  const options = { ...given, ...withDeclared(given, declared) };
  const now = options.clock.now();
  const minutes = Math.floor(now / MINUTE);
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
  const states = [...subscribed.states.values()];
  const regranted = await regrantedOf(options, states);
  const waiting = subscriptionsDue({
    ...options,
    ...subscribed,
    regranted,
    all,
    admitting,
    namespaces,
    groups,
  });
  const gcTasks = await firstGcTasks(options);
  const definitions = await definitionsDue(options, declared);
  const due = [
    ...waiting.messages,
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
    ...gcTasks.filter((task) => task.due <= now).map(({ shard }) => ({ kind: 'collect', shard }) as const),
    ...definitions.messages,
  ];
  await sendAll(
    options.queues,
    options.reconcileQueueUrl,
    due.map((message) => reconcileMessage(message, minute)),
  );
  // Most collections never had a change and have no journal.
  const written = stands
    .filter(({ rv, group }) => rv !== 0 && group === 0)
    .map(({ collection }) => collection);
  const journals = await mapBounded(written, AT_ONCE, (collection) => compact(options, collection));
  options.metrics?.record('OldestEntryAge', Math.max(0, ...journals.map(({ age }) => age)));
  // This costs a read for each collection that is behind, so only do it for the metric.
  if (options.metrics !== undefined) options.metrics.record('JournalLag', await journalLag(options, lagging));
  if (lagging.length > 0 || due.length > 0 || waiting.isAny || definitions.isForgetting) return now;
  // A request of a held author makes no mark, and resumes the delivery.
  if (states.some(({ standing }) => isHeld(standing))) return now;
  const hasAuthors = states.length > 0 || subscribed.subscriptions.length > 0 || tallies.length > 0;
  const thorough = hasAuthors ? (minutes - (minutes % LOOK_AFTER_ALL) + LOOK_AFTER_ALL) * MINUTE : ANY_TIME;
  return Math.min(thorough, ...[...gcTasks, ...journals].map((one) => one.due));
}

/** The cursor of one dispatch shard. `rv` is the head of its collection, 0 where there never was a change. */
type Stand = ShardCursor & Lagging & { readonly isMarked: boolean };

/** The cursors of every collection's dispatch shards. */
async function readStands({ table, collections }: TickOptions): Promise<Stand[]> {
  const keys = collections.flatMap((collection) => [headKey(collection), cursorKey(collection)]);
  const rows = new Map((await table.batchGet(keys)).map((row) => [`${row.pk} ${row.sk}`, row]));
  const stands = await mapBounded(collections, AT_ONCE, async (collection) => {
    const head = headKey(collection);
    const row = rows.get(`${head.pk} ${head.sk}`);
    const rv = Number(row?.rv ?? 0);
    const isMarked = row?.followed === true;
    const groups = await groupsFrom(table, collection, rows.get(`${head.pk} ${cursorKey(collection).sk}`));
    return groups.map((group) => ({ ...group, rv, isMarked }));
  });
  return stands.flat();
}

function groupsOf(stands: readonly Stand[]): ReadonlyMap<Collection, readonly Stand[]> {
  return Map.groupBy(stands, ({ collection }) => collection);
}

async function hintWhereBehind(
  { hints, followsAll }: TickOptions,
  stands: readonly Stand[],
  minute: string,
): Promise<Stand[]> {
  const followed = stands.filter((stand) => isFollowed(stand.collection, stand, { followsAll }));
  // Dispatch marks a collection whose mark is missing, as after an upgrade.
  const isUnmarked = (stand: Stand) =>
    !stand.isMarked && isFollowedByMark(stand.collection, stand, { followsAll });
  const lagging = followed.filter(
    (stand) => stand.position < stand.rv || hasNewMembers(stand) || isUnmarked(stand),
  );
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
    // The tick does not use selectors, and those of one tenant may be long.
    const pick = (state: SubscriptionState) => ({ ...state, selector: '', fieldSelector: '', from: '' });
    for (const state of await readStatesAs(table, target, { pick })) states.set(state.uid, state);
  }
  return { subscriptions, states };
}

/** A Subscription without its selectors and annotations, which may be long. */
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

/** The uids of subscriptions whose stored scope differs from what their authors may see now. */
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
  /** The uids of subscriptions whose authors may now see other objects than are delivered. */
  readonly regranted: ReadonlySet<string>;
  /** The names of the dispatch shards that received a hint to activate subscriptions, before the states are read. */
  readonly admitting: ReadonlySet<string>;
  readonly groups: ReadonlyMap<Collection, readonly ShardCursor[]>;
  /** All namespaces. */
  readonly namespaces: readonly ObjectState[];
}

interface SubscriptionsDue {
  readonly messages: readonly ReconcileMessage[];
  /** Whether any subscription waits for something, also if a message about it is under way. */
  readonly isAny: boolean;
}

function subscriptionsDue(options: DueOptions): SubscriptionsDue {
  const { subscriptions, states } = options;
  const catchingUp = [...states.values()].filter(
    (state) => !isTally(state) && state.membership === 'catching-up' && state.suspended === 0,
  );
  options.metrics?.record('CatchingUpSubscriptions', catchingUp.length);
  const waits = new Map(
    subscriptions.map((object) => [object.uid, whyWaiting(object, states.get(object.uid), options)]),
  );
  const reasons = [...waits.values()].filter((why) => why !== undefined);
  logWaiting(options, reasons, waits.size);
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
  return { messages: [...due, ...withoutObject(subscriptions, states)], isAny: reasons.length > 0 };
}

/**
 * Messages for states whose object is gone without reconciliation: its finalizer was removed by hand, and the message
 * about that was lost.
 */
function withoutObject(
  subscriptions: readonly ObjectState[],
  states: ReadonlyMap<string, SubscriptionState>,
): ReconcileMessage[] {
  const known = new Set(subscriptions.map(({ uid }) => uid));
  return [...states.values()].filter((state) => !isTally(state) && !known.has(state.uid)).map(workOf);
}

function logWaiting({ logger }: TickOptions, waiting: readonly string[], of: number): void {
  if (waiting.length === 0) return;
  const why = Object.entries(Object.groupBy(waiting, (reason) => reason)).map(([reason, all]) => [
    reason,
    all?.length ?? 0,
  ]);
  logger.info('subscriptions wait', {
    waiting: waiting.length,
    of,
    why: Object.fromEntries(why),
  });
}

function namespacesDue(namespaces: readonly ObjectState[]): ReconcileMessage[] {
  return namespaces
    .filter(isTerminating)
    .map((namespace) => ({ kind: 'namespace', name: namespace.name.name }));
}

/** The first GC task of each shard that has any, and when it is due. Records how late the latest one is. */
async function firstGcTasks({ table, clock, metrics }: TickOptions) {
  const now = clock.now();
  const shards = Array.from({ length: GC_TASK_SHARDS }, (_, shard) => shard);
  const found = await mapBounded(shards, AT_ONCE, async (shard) => {
    const [task] = await dueGcTasks(table, { shard, until: ANY_TIME, limit: 1 });
    return task === undefined ? [] : [{ shard, due: parseGcTaskKey(task.key)?.due ?? now }];
  });
  const first = found.flat();
  metrics?.record('LookLag', Math.max(0, ...first.map(({ due }) => now - due)));
  return first;
}
