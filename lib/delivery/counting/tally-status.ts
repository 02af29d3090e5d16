import { type JsonObject, jsonEquals, metadataOf, type ObjectName, objectAt } from '../../json/index.ts';
import { TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { type Bounds, boundsOf } from '../../kubernetes/winnow/index.ts';
import type { Clock } from '../../platform/index.ts';
import { type ObjectState, type Row, type Store, subscriptionKey, type Table } from '../../store/index.ts';
import {
  followingOf,
  type SubscriptionState,
  scopedOf,
  scopeIn,
  sinceWhen,
  whySuspended,
  withinLimitsOf,
} from '../subscription/index.ts';
import { MOST_GROUPS, parseCounts, valuesOf } from './counts.ts';

type Phase = 'Below' | 'Within' | 'Above' | 'Suspended';

export interface TallyStatusOptions {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Writes the counts of a Tally into its status. It reads the state row after the object, and the write requires that
 * the object has not changed since. So the new status is never older than the current one.
 */
export async function writeTallyStatus(
  { table, store, clock }: TallyStatusOptions,
  name: ObjectName,
  { uid, collection }: Pick<SubscriptionState, 'uid' | 'collection'>,
): Promise<void> {
  await store.write(TALLIES, name, async (current) => {
    if (current === undefined || current.uid !== uid) return { kind: 'none' };
    const row = await table.get(subscriptionKey(collection, uid));
    if (row === undefined || isOfAnother(current, Number(row.generation))) return { kind: 'none' };
    const told = toldBy(row);
    const status = statusOf(current.body, told, clock.now());
    if (jsonEquals(objectAt(current.body.status), status)) return { kind: 'none' };
    return { kind: 'put', body: { ...current.body, status } };
  });
}

/** Whether the status already has the values of the state. */
export function tellsCounts({ body }: ObjectState, state: SubscriptionState): boolean {
  const { observedGeneration } = objectAt(body.status);
  if (observedGeneration !== state.generation) return false;
  return jsonEquals(objectAt(body.status), statusOf(body, state, 0));
}

/** Whether the counts belong to another generation of the spec. */
function isOfAnother({ body }: ObjectState, generation: number): boolean {
  return Number(metadataOf(body).generation ?? 1) !== generation;
}

type TallyFacts = Pick<
  SubscriptionState,
  | 'counts'
  | 'groupBy'
  | 'namespaces'
  | 'namespacesFailure'
  | 'author'
  | 'standing'
  | 'scope'
  | 'violation'
  | 'membership'
  | 'suspended'
>;

function toldBy(row: Row): TallyFacts {
  return {
    counts: String(row.counts),
    groupBy: String(row.groupBy),
    namespaces: String(row.namespaces ?? ''),
    namespacesFailure: String(row.namespacesFailure ?? ''),
    author: String(row.author ?? ''),
    standing: String(row.standing ?? ''),
    scope: String(row.scope ?? ''),
    violation: String(row.violation ?? ''),
    membership: row.membership as TallyFacts['membership'],
    suspended: Number(row.suspended ?? 0),
  };
}

function statusOf(body: JsonObject, told: TallyFacts, now: number): JsonObject {
  // An earlier release, without spec.suspend, continues to count in a row whose `suspended` is set.
  const isStopped = told.suspended > 0 && told.membership === 'catching-up';
  const counted = isStopped ? undefined : parseCounts(told.counts);
  const keys: readonly string[] = JSON.parse(told.groupBy);
  const old = objectAt(body.status);
  const groups = counted?.groups;
  const bounds = boundsOf(objectAt(body.spec));
  const phase = phaseOf(counted?.total, bounds);
  const conditions = [
    withinOf(phase, bounds, told),
    ...(isStopped ? [] : groupedOf(keys, groups !== undefined)),
    ...followingOf(told),
    ...scopedOf(told),
    ...withinLimitsOf(told, 'counting'),
  ];
  const inOrder = groups && [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
  const shown = inOrder?.map(([group, count]) => ({ labels: labelsOf(keys, group), count }));
  const scope = scopeIn(told);
  return {
    observedGeneration: Number(metadataOf(body).generation ?? 1),
    phase,
    ...(counted !== undefined && { count: counted.total }),
    ...(keys.length > 0 && shown !== undefined && { groups: shown }),
    ...(old.author !== undefined && { author: old.author }),
    ...(old.writer !== undefined && { writer: old.writer }),
    ...(scope !== undefined && { scope }),
    conditions: conditions.map((condition) => sinceWhen(condition, old, now)),
  };
}

function withinOf(phase: Phase, { min, max }: Bounds, told: TallyFacts): JsonObject {
  const type = 'WithinBounds';
  if (phase === 'Suspended') {
    return { type, status: 'Unknown', reason: phase, message: whySuspended(told, 'counting') };
  }
  const message = min === undefined && max === undefined ? UNBOUND : MESSAGES[phase];
  return { type, status: phase === 'Within' ? 'True' : 'False', reason: phase, message };
}

const UNBOUND = 'spec has no bounds';
const MESSAGES: Readonly<Record<Exclude<Phase, 'Suspended'>, string>> = {
  Below: 'fewer objects match than spec.bounds.min',
  Within: 'the number of objects is within spec.bounds',
  Above: 'more objects match than spec.bounds.max',
};

/** @param total undefined: the Tally counts nothing */
function phaseOf(total: number | undefined, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): Phase {
  if (total === undefined) return 'Suspended';
  if (total < min) return 'Below';
  return total > max ? 'Above' : 'Within';
}

function groupedOf(keys: readonly string[], isGrouped: boolean): JsonObject[] {
  if (keys.length === 0) return [];
  const type = 'Grouped';
  if (isGrouped) {
    return [{ type, status: 'True', reason: 'Counted', message: 'status.groups has all groups' }];
  }
  const message = `there are more than ${MOST_GROUPS} groups, or their text is too long for the status`;
  return [{ type, status: 'False', reason: 'TooManyGroups', message }];
}

/** The labels of a group, without the keys that it lacks. */
function labelsOf(keys: readonly string[], group: string): JsonObject {
  const values = valuesOf(group);
  const labels = keys.map((key, at) => [key, values[at]] as const);
  return Object.fromEntries(labels.flatMap(([key, value]) => (value == null ? [] : [[key, value]])));
}
