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

/** A Tally, with the inputs of its count. */
export interface Counting {
  readonly object: ObjectState;
  readonly spec: TallySpec;
  /** The namespaces that its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
  /** The author's permissions and the objects that they allow. */
  readonly authored: AuthoredNow;
  /** The violation of the deployment's rules, as text; '': none. */
  readonly violation: string;
  /** The state as read before; undefined: there was none. */
  readonly state: SubscriptionState | undefined;
}

export function generationOf({ body }: Pick<ObjectState, 'body'>): number {
  return Number(metadataOf(body).generation ?? 1);
}

/**
 * Counts a Tally again. The new counts, at their position, replace the old ones as another edit. So the counts of a
 * dispatcher that knew the old edit no longer apply. If another process has counted again in the meantime, its counts
 * stay. Returns whether this count is stored.
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
  // Counts under permissions that are gone are discarded.
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
