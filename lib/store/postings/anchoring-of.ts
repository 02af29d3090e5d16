import type { Collection } from '../../json/index.ts';
import type { IndexedSelector } from '../indexed-selector.ts';
import { anchorPartition, postingKey } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import { type ChosenAnchor, chooseAnchors } from './choose-anchors.ts';
import type { AnchorPlan } from './plan-postings.ts';
import { movedRow, postingRow } from './posting-row.ts';

/** The object that carries the selectors. */
export interface Carrier {
  readonly collection: Collection;
  /** As `nameKey` spells it. */
  readonly name: string;
  readonly uid: string;
}

/** An object's postings after a write, and the transaction items that produce them. */
export interface Anchoring {
  readonly anchored: readonly IndexedSelector[];
  /** Returns items of the transaction that writes the object, at a time in ms since the epoch. */
  itemsAt(time: number): readonly TransactItem[];
}

/** Chooses the postings of a plan. */
export async function anchoringOf(table: Table, plan: AnchorPlan, carrier: Carrier): Promise<Anchoring> {
  const chosen = await chooseAnchors(table, plan.added);
  return {
    anchored: [...plan.kept, ...chosen.map(({ path, digest, places }) => ({ path, digest, places }))],
    itemsAt: (time) => anchorItems(plan, chosen, { ...carrier, time }),
  };
}

/**
 * If a carrier still has selectors on a target but its postings move, a mark stays at each old posting. The queries
 * of a look-up are not one snapshot. A look-up may read the new partition before the new posting exists, but then it
 * meets the mark in the old partition.
 */
function anchorItems(
  { kept, former }: AnchorPlan,
  chosen: readonly ChosenAnchor[],
  { time, ...carrier }: Carrier & { readonly time: number },
): readonly TransactItem[] {
  const puts = chosen.flatMap(({ path, places, carried }) =>
    places.map((place) => postingRow({ ...place, ...carrier, path }, carrier.uid, carried)),
  );
  const taken = new Set(puts.map(({ pk, sk }) => `${pk} ${sk}`));
  const targets = new Set([...kept, ...chosen].flatMap(({ places }) => places.map(({ target }) => target)));
  const left = former
    .flatMap(({ path, places }) => places.map((place) => ({ ...place, ...carrier, path })))
    .filter((parts) => !taken.has(`${anchorPartition(parts)} ${postingKey(parts).sk}`));
  return [
    ...puts.map((put) => ({ put })),
    ...left.map((parts) =>
      targets.has(parts.target) ? { put: movedRow(parts, carrier.uid, time) } : { delete: postingKey(parts) },
    ),
  ];
}
