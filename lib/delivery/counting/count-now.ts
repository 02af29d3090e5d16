import type { TallySpec } from '../../kubernetes/winnow/index.ts';
import type { Store } from '../../store/index.ts';
import { filterOf, namespacesOf, type Selection } from '../subscription/index.ts';
import { type Counts, groupOf, NOTHING_COUNTED, withinBounds } from './counts.ts';

/** Counts the selection at one resourceVersion, from label indexes where they allow it. */
export async function countNow(
  store: Store,
  { selecting, groupBy }: TallySpec,
  selected: Selection,
): Promise<{ readonly rv: number; readonly counts: Counts }> {
  const { target } = selecting;
  const { selector, matches } = filterOf(selected, target);
  const most = { rows: Number.POSITIVE_INFINITY, candidates: Number.POSITIVE_INFINITY };
  const namespaces = namespacesOf(selected);
  const where = namespaces === undefined ? {} : { namespaces };
  const groups = new Map<string, number>();
  const asked = { ...where, selector, most, ...(matches && { matches }) };
  const { rv, count } = await store.visitLabels(target.collection, asked, (labels) => {
    const group = groupOf(groupBy, labels);
    if (group !== '') groups.set(group, (groups.get(group) ?? 0) + 1);
  });
  return { rv, counts: withinBounds({ ...NOTHING_COUNTED, total: count, groups }) };
}
