import { metadataOf } from '../../json/index.ts';
import type { TallySpec } from '../../kubernetes/winnow/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';
import type { AuthoredNow, Verdict } from '../authority/index.ts';
import { countNow, printCounts } from '../counting/index.ts';
import {
  firstRow,
  type SelectedNamespaces,
  type SubscriptionState,
  selection,
  updateState,
} from '../subscription/index.ts';
import { desiredSelection } from './desired-selection.ts';
import type { ReconcileOptions } from './reconcile-subscription.ts';

export type TallyOptions = Pick<ReconcileOptions, 'store' | 'table' | 'clock'>;

/** A Tally, and what decides what is counted for it. */
export interface Counting {
  readonly object: ObjectState;
  readonly spec: TallySpec;
  /** What its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
  /** By whose rights it counts, and which objects. */
  readonly authored: AuthoredNow;
  /** What in it breaks the deployment's rules, in words; '': nothing. */
  readonly violation: string;
  /** As it was read before; undefined: there was none. */
  readonly state: SubscriptionState | undefined;
}

export function generationOf({ body }: Pick<ObjectState, 'body'>): number {
  return Number(metadataOf(body).generation ?? 1);
}

/**
 * What is counted, at its position, replaces what was counted before: it is another edit, so what a dispatcher counts
 * that knew the one before holds no more. Where somebody else has counted anew since, theirs stands. Answers whether
 * this count is stored.
 */
export async function countAnew(
  { store, table }: TallyOptions,
  { object, spec, selected, authored, violation, state }: Counting,
): Promise<boolean> {
  const { name, uid } = object;
  const generation = generationOf(object);
  const { namespaces, failure } = selected;
  const { author } = authored;
  const asked = { spec: spec.selecting, generation };
  const counting = async ({ scope, standing }: Verdict) => {
    const chosen =
      state === undefined
        ? selection({ ...asked, namespace: name.namespace, namespaces, scope })
        : desiredSelection({ ...asked, selected, scope, state });
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
    violation,
    suspended: 0,
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
    return updateState(table, state, change, [{ attribute: 'edit', is: '=', value: edit }]);
  }
  const row = firstRow({ name, uid, spec: spec.selecting, generation, queueName: '', head: position });
  const { outcome } = await table.put({ ...row, ...counted, step: 'journal' }, [{ missing: 'pk' }]);
  return outcome === 'done';
}
