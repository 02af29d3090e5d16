import type { Collection } from '../../json/index.ts';
import type { IndexedSelector } from '../indexed-selector.ts';
import { type AnchorPlace, anchorPartition, postingKey } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';
import type { AnchorPlan, NewAnchor } from './plan-postings.ts';
import { movedRow, postingRow } from './posting-row.ts';

/** The number of rows to count in a partition. Partitions with more rows count as equally large. */
const PROBE = 64;
/** The maximum number of choices to compare; further ones are ignored. */
const MOST_CHOICES = 8;

/** A selector and the places of its postings. */
type ChosenAnchor = IndexedSelector & Pick<NewAnchor, 'carried'>;

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

/**
 * Chooses the postings of each selector. If there is a choice, it takes the partition with the fewest rows at this
 * moment. That costs one query for each choice, and only in writes that change a selector. The choice affects only
 * how many rows a look-up reads in vain.
 */
async function chooseAnchors(table: Table, added: readonly NewAnchor[]): Promise<ChosenAnchor[]> {
  return Promise.all(
    added.map(async ({ path, digest, carried, choices }) => {
      return { path, digest, carried, places: await leastCrowded(table, choices) };
    }),
  );
}

async function leastCrowded(table: Table, choices: NewAnchor['choices']): Promise<readonly AnchorPlace[]> {
  const [first = []] = choices;
  if (choices.length <= 1) return first;
  const probed = choices.slice(0, MOST_CHOICES);
  const crowds = await Promise.all(probed.map(([place]) => (place ? crowdOf(table, place) : 0)));
  return probed[crowds.indexOf(Math.min(...crowds))] ?? first;
}

async function crowdOf(table: Table, place: AnchorPlace): Promise<number> {
  const request = { partition: anchorPartition(place), from: '!', to: '~', limit: PROBE };
  return (await table.query(request)).rows.length;
}
