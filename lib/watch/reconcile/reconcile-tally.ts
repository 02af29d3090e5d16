import { metadataOf, nameKey, type ObjectState, subscriptionKey } from '../../store/index.ts';
import { type AuthoredNow, authoredNow, ofTally, type Verdict } from '../authority/index.ts';
import { countNow, parseCounts, printCounts, writeTallyStatus } from '../counting/index.ts';
import { raiseMembers } from '../groups/index.ts';
import type { ReconcileMessage } from '../internal-messages.ts';
import { TALLIES } from '../own-collections.ts';
import {
  firstRow,
  isOther,
  parseState,
  readTally,
  type SelectedNamespaces,
  type SubscriptionState,
  selection,
  TALLY_FINALIZER,
  type TallySpec,
  updateState,
} from '../subscription/index.ts';
import { askDispatch, askDispatchAgain } from './ask-dispatch.ts';
import { namespacesNow } from './namespaces-now.ts';
import type { ReconcileOptions } from './reconcile-subscription.ts';
import { releaseObject } from './release-object.ts';
import { wantedSelection } from './wanted-selection.ts';

type TallyMessage = Extract<ReconcileMessage, { kind: 'tally' }>;

/**
 * Brings what is counted for a Tally to what its object says: counts all there is at one resourceVersion where it is
 * new, edited, selects from other namespaces or fell behind, and has dispatch go on from there; then writes its status.
 */
export async function reconcileTally(options: ReconcileOptions, message: TallyMessage): Promise<void> {
  const { store, table, resources, clock, hints } = options;
  const object = await store.get(TALLIES, message.name);
  if (object === undefined || object.uid !== message.uid) return forget(options, message);
  if (metadataOf(object.body).deletionTimestamp !== undefined) {
    await forget(options, message);
    return releaseObject(store, object, { collection: TALLIES, finalizer: TALLY_FINALIZER });
  }
  const { uid, collection, hops = 0 } = message;
  const asking = { table, hints, clock, uid, collection, hops: hops + 1 };
  const spec = readTally(object.body, resources);
  const row = await table.get(subscriptionKey(collection, uid));
  const state = row && parseState(row, spec.selecting.target);
  // After the state: whoever stores what he counted counted by the namespaces that there were since.
  const selected = await namespacesNow(store, spec.selecting);
  const author = await authoredNow(options, object, spec.selecting);
  const again = async () => ofTally(await author.again());
  const authored = { ...author, ...ofTally(author), again };
  if (state === undefined || isDue(state, { object, spec, selected, authored, message })) {
    await countAnew(options, { object, spec, selected, authored, state });
    await askDispatch(asking);
    // It may have gone since it was read, and its row with it: look again, now that there is a row.
    const now = state === undefined ? await store.get(TALLIES, message.name) : object;
    if (now?.uid !== uid) return forget(options, message);
  } else if (state.membership === 'ready') {
    await askDispatchAgain(asking);
  }
  await writeTallyStatus(options, message.name, { uid, collection });
}

interface Asked {
  readonly object: ObjectState;
  readonly spec: TallySpec;
  /** What its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
  /** By whose rights it counts, and which objects. */
  readonly authored: AuthoredNow;
}

/** Whether it has to be counted anew. */
function isDue(
  state: SubscriptionState,
  { object, spec, selected, authored, message }: Asked & { readonly message: TallyMessage },
): boolean {
  if (state.membership === 'catching-up') return true;
  if (state.generation !== Number(metadataOf(object.body).generation ?? 1)) return true;
  if (state.author !== authored.author || state.scope !== authored.scope) return true;
  if (state.standing !== authored.standing) return true;
  if (spec.selecting.namespaceSelector !== undefined && isOther(selected, state)) return true;
  return message.isAnew === true && parseCounts(state.counts).groups === undefined;
}

interface Counting extends Asked {
  /** As it was read before; undefined: there was none. */
  readonly state: SubscriptionState | undefined;
}

/**
 * What is counted, at its position, replaces what was counted before: it is another edit, so what a dispatcher counts
 * that knew the one before holds no more. Where somebody else has counted anew since, theirs stands.
 */
async function countAnew(
  { store, table }: ReconcileOptions,
  { object, spec, selected, authored, state }: Counting,
): Promise<void> {
  const { name, uid, body } = object;
  const generation = Number(metadataOf(body).generation ?? 1);
  const { namespaces, failure } = selected;
  const { author } = authored;
  const asked = { spec: spec.selecting, generation };
  const counting = async ({ scope, standing }: Verdict) => {
    const chosen =
      state === undefined
        ? selection({ ...asked, namespace: name.namespace, namespaces, scope })
        : wantedSelection({ ...asked, selected, scope, state });
    const counted = await countNow(store, spec, chosen);
    return { chosen, standing, ...counted, latest: await authored.again() };
  };
  let now = await counting(authored);
  // What was counted under rights that are gone is nobody's.
  while (now.latest.scope !== now.chosen.scope) now = await counting(now.latest);
  const { chosen, counts, rv: position, standing } = now;
  const counted = {
    ...chosen,
    author,
    standing,
    namespacesFailure: failure,
    subscription: nameKey(name),
    groupBy: JSON.stringify(spec.groupBy),
    counts: printCounts(counts),
    membership: 'ready',
    position,
  } as const;
  if (state !== undefined) {
    const { edit, attempt } = state;
    const change = { ...counted, edit: edit + 1, attempt: attempt + 1 };
    await updateState(table, state, change, [{ attribute: 'edit', is: '=', value: edit }]);
    return;
  }
  const row = firstRow({ name, uid, spec: spec.selecting, generation, queueName: '', head: position });
  await table.put({ ...row, ...counted, step: 'journal' }, [{ missing: 'pk' }]);
}

/** Nobody counts any more for a Tally that is gone or going. */
async function forget(
  options: ReconcileOptions,
  { collection, uid }: Pick<TallyMessage, 'collection' | 'uid'>,
): Promise<void> {
  const { table } = options;
  const key = subscriptionKey(collection, uid);
  if ((await table.get(key)) === undefined) return;
  await table.delete(key);
  await raiseMembers(options, { collection, uid });
}
