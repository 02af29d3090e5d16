import type { ObjectName } from '../../json/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { type ObjectState, parseNameKey, type Store } from '../../store/index.ts';
import { filterOf, namespacesOf, type SubscriptionState } from '../subscription/index.ts';

const PAGE = 100;
/** Sorts after all names of a namespace. */
const LAST = '~';

export interface SelectedOptions {
  readonly store: Store;
  readonly target: TargetResource;
  /** Objects in one page; default: 100. */
  readonly page?: number | undefined;
}

export interface PageWanted {
  readonly selecting: SubscriptionState;
  /** Limits the page to these namespaces; undefined: all that it selects from. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface SelectedPage {
  readonly items: readonly ObjectState[];
  /**
   * The end of the page: no selected object lies between the last item and this name; undefined: no selected object
   * follows at all.
   */
  readonly next?: ObjectName | undefined;
}

/**
 * The next objects after the boundary that `selecting` selects at the position. If it selects from some namespaces
 * only, the page contains objects of one namespace, the first that has any.
 *
 * @throws {GoneError} the position is too old.
 */
export async function selectedPage(
  { store, target, page: limit = PAGE }: SelectedOptions,
  { collection, position, boundary }: SubscriptionState,
  { selecting, only }: PageWanted,
): Promise<SelectedPage> {
  const after = boundary === '' ? undefined : parseNameKey(boundary);
  const { selector, matches } = filterOf(selecting, target);
  const asked = { selector, at: position, limit, mostHeap: MEMORY.page / 2, ...(matches && { matches }) };
  const namespaces = namespacesOf(selecting);
  if (namespaces === undefined) return store.list(collection, { ...asked, ...(after && { after }) });
  const left = namespaces.filter(
    (namespace) => only?.has(namespace) !== false && `${namespace}/${LAST}` > boundary,
  );
  for (const namespace of left) {
    const isBegun = after?.namespace === namespace;
    const page = await store.list(collection, { ...asked, namespace, ...(isBegun && { after }) });
    if (page.next !== undefined) return page;
    const next = namespace === left.at(-1) ? undefined : { namespace, name: LAST };
    if (page.items.length > 0) return { items: page.items, next };
  }
  return { items: [] };
}
