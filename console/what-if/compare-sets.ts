import { ask, type KindInfo, METADATA_LIST, pathOf } from '../api/index.ts';
import type { OwnSelection } from './own-selections.ts';
import { type Named, type SetDifference, setDifference } from './set-difference.ts';

/** The most objects of each list. */
export const MOST_COMPARED = 10_000;
const PAGE = 500;

/** Which objects begin and stop to be selected, in one state of the server. */
export interface SetComparison extends SetDifference<Named> {
  readonly resourceVersion: string;
  /** Whether one of the sets has more objects than were compared. */
  readonly isCut: boolean;
}

interface List {
  readonly items: readonly Named[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

/** The objects of a set, at a resourceVersion. */
interface ListedSet {
  readonly items: readonly Named[];
  /** Empty if nothing was asked. */
  readonly resourceVersion: string;
  readonly isCut: boolean;
}

/** Lists what an object selects before and after an edit of its selector, both at the same resourceVersion. */
export async function compareSets(
  target: KindInfo,
  { before, after }: { readonly before: OwnSelection; readonly after: OwnSelection },
  signal: AbortSignal,
): Promise<SetComparison> {
  const old = await listSet(target, before, { signal, at: '' });
  const now = await listSet(target, after, { signal, at: old.resourceVersion });
  return {
    ...setDifference(old.items, now.items),
    resourceVersion: now.resourceVersion || old.resourceVersion,
    isCut: old.isCut || now.isCut,
  };
}

async function listSet(
  target: KindInfo,
  { namespace, selector, fields }: OwnSelection,
  { signal, at }: { readonly signal: AbortSignal; readonly at: string },
): Promise<ListedSet> {
  if (selector === undefined) return { items: [], resourceVersion: at, isCut: false };
  const items: Named[] = [];
  const exact = at === '' ? {} : { resourceVersion: at, resourceVersionMatch: 'Exact' };
  for (let next = ''; ; ) {
    const place = next === '' ? exact : { continue: next };
    const query = { labelSelector: selector, fieldSelector: fields, limit: String(PAGE), ...place };
    const list = await ask<List>(pathOf(target, namespace), { query, accept: METADATA_LIST, signal });
    items.push(...list.items);
    const { resourceVersion } = list.metadata;
    next = list.metadata.continue ?? '';
    if (next === '' || items.length >= MOST_COMPARED) return { items, resourceVersion, isCut: next !== '' };
  }
}
