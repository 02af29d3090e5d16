import type { IndexedSelector } from '../indexed-selector.ts';
import type { Row } from '../table.ts';
import type { Carrier } from './anchoring-of.ts';
import type { CarriedSelector } from './carried-selector.ts';
import { planAnchors } from './plan-postings.ts';
import { postingRow } from './posting-row.ts';

/**
 * The postings that an object must have according to its own row. Undefined if the row lists other selectors than the
 * object has.
 */
export function expectedAnchorRows(
  had: readonly IndexedSelector[],
  selects: readonly CarriedSelector[],
  carrier: Carrier,
): readonly Row[] | undefined {
  const { added, former } = planAnchors(had, selects);
  if (added.length + former.length > 0) return undefined;
  const carried = new Map(planAnchors([], selects).added.map((one) => [one.path, one.carried]));
  return had.flatMap(({ path, places }) =>
    places.map((place) => postingRow({ ...place, ...carrier, path }, carrier.uid, carried.get(path))),
  );
}
