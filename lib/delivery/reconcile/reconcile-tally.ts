import type { ReconcileMessage } from '../../coordination/index.ts';
import { metadataOf } from '../../json/index.ts';
import { EVENT_RECORDS, type EventRecord, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { readTally, TALLY_FINALIZER } from '../../kubernetes/winnow/index.ts';
import { nameKey, subscriptionKey } from '../../store/index.ts';
import { authoredNow, ofTally } from '../authority/index.ts';
import { NOTHING_COUNTED, parseCounts, printCounts, writeTallyStatus } from '../counting/index.ts';
import { bumpSubscriptions } from '../shards/index.ts';
import {
  firstRow,
  isHeld,
  isOther,
  parseState,
  type SubscriptionState,
  updateState,
  whySuspended,
} from '../subscription/index.ts';
import { askDispatch, askDispatchAgain } from './ask-dispatch.ts';
import { type Counting, countAnew, generationOf, type TallyOptions } from './count-anew.ts';
import { namespacesNow } from './namespaces-now.ts';
import type { ReconcileOptions } from './reconcile-subscription.ts';
import { tellHappenings } from './record-events.ts';
import { releaseObject } from './release-object.ts';
import { standingHappenings } from './standing-happenings.ts';
import { violationOf } from './violation-of.ts';

type TallyMessage = Extract<ReconcileMessage, { kind: 'tally' }>;

/**
 * Brings the counts of a Tally to what its object requests, and writes its status.
 *
 * - It counts everything at one resourceVersion if the Tally is new, edited, behind, or selects from other
 *   namespaces. Dispatch continues from there.
 * - If the Tally is stopped, it ends the count.
 */
export async function reconcileTally(options: ReconcileOptions, message: TallyMessage): Promise<void> {
  const { store, table, resources, rules } = options;
  const object = await store.get(TALLIES, message.name);
  if (object === undefined || object.uid !== message.uid) return forget(options, message);
  if (metadataOf(object.body).deletionTimestamp !== undefined) {
    await forget(options, message);
    return releaseObject(store, object, { collection: TALLIES, finalizer: TALLY_FINALIZER });
  }
  const { uid, collection } = message;
  const spec = readTally(object.body, resources);
  const row = await table.get(subscriptionKey(collection, uid));
  const state = row && parseState(row, spec.selecting.target);
  // Read after the state. If another process stores a count after that read, it has used the namespaces of that time or
  // later.
  const selected = await namespacesNow(store, spec.selecting);
  const author = await authoredNow(options, object, spec.selecting);
  const again = async () => ofTally(await author.again());
  const authored = { ...author, ...ofTally(author), again };
  const violation = await violationOf(options, { body: object.body });
  const counting = { object, spec, selected, authored, violation, state };
  const isStopped = spec.selecting.suspended || (violation !== '' && rules.enforced);
  const isChanged = isStopped
    ? await stopTally(options, counting)
    : await followCount(options, message, counting);
  // The object and its row may have been deleted since the read. Check again, now that there is a row.
  const now = state === undefined ? await store.get(TALLIES, message.name) : object;
  if (now?.uid !== uid) return forget(options, message);
  await writeTallyStatus(options, message.name, { uid, collection });
  if (!isChanged || state === undefined) return;
  await tellHappenings(options, TALLIES, object, happened(state, counting, isStopped));
}

/** The Events for a Tally whose row was changed. */
function happened(
  before: SubscriptionState,
  { object, authored, violation }: Counting,
  isStopped: boolean,
): readonly EventRecord[] {
  const suspended = isStopped ? generationOf(object) : 0;
  const stops = isStopped && before.suspended === 0;
  const goesOn = !isStopped && before.suspended > 0 && !isHeld(authored.standing);
  return [
    ...(stops ? [EVENT_RECORDS.suspended(whySuspended({ violation }, 'counting'))] : []),
    ...(goesOn ? [EVENT_RECORDS.counted] : []),
    ...standingHappenings({ ...before, suspended }, authored.standing),
  ];
}

/** Counts again if necessary, and sends dispatch a hint. Returns whether the row has new counts. */
async function followCount(
  options: ReconcileOptions,
  message: TallyMessage,
  counting: Counting,
): Promise<boolean> {
  const { table, clock, hints } = options;
  const { uid, collection, hops = 0 } = message;
  const { state, violation } = counting;
  const asking = { table, hints, clock, uid, collection, hops: hops + 1 };
  if (state === undefined || isDue(state, counting, message)) {
    const isCounted = await countAnew(options, counting);
    await askDispatch(asking);
    return isCounted;
  }
  if (state.membership === 'ready') await askDispatchAgain(asking);
  if (state.violation !== violation) {
    await updateState(table, state, { violation }, [{ attribute: 'edit', is: '=', value: state.edit }]);
  }
  return false;
}

/** Whether the Tally has to be counted again. */
function isDue(
  state: SubscriptionState,
  { object, spec, selected, authored }: Counting,
  message: TallyMessage,
): boolean {
  if (state.membership === 'catching-up' || state.suspended > 0) return true;
  if (state.generation !== generationOf(object)) return true;
  if (state.author !== authored.author || state.scope !== authored.scope) return true;
  if (state.standing !== authored.standing) return true;
  if (spec.selecting.namespaceSelector !== undefined && isOther(selected, state)) return true;
  return message.isAnew === true && parseCounts(state.counts).groups === undefined;
}

/** Deletes the state of a Tally that is deleted or terminating, so that dispatch stops counting. */
async function forget(
  options: ReconcileOptions,
  { collection, uid }: Pick<TallyMessage, 'collection' | 'uid'>,
): Promise<void> {
  const { table } = options;
  const key = subscriptionKey(collection, uid);
  if ((await table.get(key)) === undefined) return;
  await table.delete(key);
  await bumpSubscriptions(options, { collection, uid });
}

/**
 * Stops the count of a Tally, because `spec.suspend` is true, or because it breaks an enforced rule. Its row stays as
 * `catching-up`, with the values for its status. Returns whether the row was changed. If another process has changed
 * the row since, that change stays, and `tick` requests another reconcile.
 */
async function stopTally(options: TallyOptions, counting: Counting): Promise<boolean> {
  const { table, store } = options;
  const { object, spec, selected, authored, violation, state } = counting;
  const { name, uid } = object;
  const generation = generationOf(object);
  const { author, standing, scope } = authored;
  const { collection } = spec.selecting.target;
  const said = { generation, suspended: generation, author, standing, scope, violation } as const;
  if (state === undefined) {
    const head = await store.head(collection);
    const { namespaces } = selected;
    const row = firstRow({ name, uid, spec: spec.selecting, queueName: '', head, namespaces, ...said });
    const uncounted = { groupBy: JSON.stringify(spec.groupBy), counts: printCounts(NOTHING_COUNTED) };
    const stopped = { ...row, ...said, ...uncounted, subscription: nameKey(name), step: 'journal' };
    return (await table.put(stopped, [{ missing: 'pk' }])).outcome === 'done';
  }
  const isCounted = state.membership !== 'catching-up';
  const isSaid = Object.entries(said).every(
    ([attribute, value]) => state[attribute as keyof typeof said] === value,
  );
  if (isSaid && !isCounted) return false;
  const { edit, attempt } = state;
  const change = { ...said, membership: 'catching-up', edit: edit + 1, attempt: attempt + 1 } as const;
  const isStored = await updateState(table, state, change, [{ attribute: 'edit', is: '=', value: edit }]);
  // Dispatch reads the state again, and stops counting. A round in progress stores nothing, because `edit` has changed.
  if (isStored && isCounted) await bumpSubscriptions(options, { collection, uid });
  return isStored;
}
