import type { IndexedSelector } from '../indexed-selector.ts';
import { type AnchorPlace, anchorPartition } from '../keys.ts';
import type { Table } from '../table.ts';
import type { NewAnchor } from './plan-postings.ts';

/** The number of rows to count in a partition. Partitions with more rows count as equally large. */
const PROBE = 64;
/** The maximum number of choices to compare; further ones are ignored. */
const MOST_CHOICES = 8;

/** A selector and the places of its postings. */
export type ChosenAnchor = IndexedSelector & Pick<NewAnchor, 'carried'>;

/**
 * Chooses the postings of each selector. If there is a choice, it takes the partition with the fewest rows at this
 * moment. That costs one query for each choice, and only in writes that change a selector. The choice affects only
 * how many rows a look-up reads in vain.
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
