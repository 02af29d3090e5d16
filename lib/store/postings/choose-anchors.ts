import type { IndexedSelector } from '../indexed-selector.ts';
import { type AnchorPlace, anchorPartition } from '../keys.ts';
import type { Table } from '../table.ts';
import type { NewAnchor } from './plan-postings.ts';

/** Where a partition has more rows it is as crowded as any. */
const PROBE = 64;
/** Choices that are looked at, the first ones. */
const MOST_CHOICES = 8;

/** A selector and the rows that it is to have. */
export type ChosenAnchor = IndexedSelector & Pick<NewAnchor, 'carried'>;

/**
 * Chooses the rows of each selector: where there is a choice, in the partition that the fewest others are in just now.
 * That costs a query each, of writes that change a selector alone. Nothing depends on how good the choice is but how
 * many rows a look-up reads for nothing.
 */
export async function chooseAnchors(table: Table, added: readonly NewAnchor[]): Promise<ChosenAnchor[]> {
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
