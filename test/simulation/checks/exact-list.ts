import type { Listing, Snapshot } from '../history.ts';
import { describeAsked, describeSnapshot } from './describe.ts';
import { namespaceOf, selectorOf } from './naive-selector.ts';
import type { Run } from './run.ts';
import { mayHaveLeft } from './transitions.ts';
import { stateAt, type Truth } from './truth.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "exact-list": a LIST is the exact state at its resourceVersion. It holds every object whose last change up
 * to there left it matching, in that state and once. It holds nothing else, and the names ascend over all pages.
 */
export function checkExactList({ history, truth }: Run): Violation[] {
  return history.listings.flatMap((listing) => [...checkShape(listing), ...checkItems(listing, truth)]);
}

function checkShape(listing: Listing): Violation[] {
  const { at, rv, items } = listing;
  const disordered = items.findIndex(({ object }, index) => object <= (items[index - 1]?.object ?? ''));
  return [
    ...(at === undefined || at === rv ? [] : [violation(listing, `it was asked for @${at}`)]),
    ...(disordered < 0
      ? []
      : [violation(listing, 'its names do not ascend', items.slice(disordered - 1, disordered + 1))]),
  ];
}

function checkItems(listing: Listing, truth: Truth): Violation[] {
  const { asked, rv, items } = listing;
  const selects = selectorOf(asked);
  const shown = new Map(items.map((item) => [item.object, item]));
  const objects = new Set([...truth.chains.keys(), ...shown.keys()]);
  return [...objects].flatMap((object) => {
    if (asked.namespace !== undefined && namespaceOf(object) !== asked.namespace && !shown.has(object)) {
      return [];
    }
    const { state, doubtful } = stateAt(truth, object, rv);
    const expected = state !== undefined && selects(state) ? state : undefined;
    const item = shown.get(object);
    if (item?.rv === expected?.rv && item?.token === expected?.token) return [];
    if (item !== undefined) {
      const message =
        expected === undefined
          ? `it has ${object}, which does not match then`
          : `it has ${object} in another state`;
      return [violation(listing, message, expected === undefined ? [item] : [item, expected])];
    }
    if (expected === undefined || doubtful || mayHaveLeft(truth, asked, object)) return [];
    return [violation(listing, `it lacks ${object}`, [expected])];
  });
}

function violation(listing: Listing, what: string, about: readonly Snapshot[] = []): Violation {
  const { client, asked, rv, invoked, returned } = listing;
  return {
    check: 'exact-list',
    message: `${client}'s list of ${describeAsked(asked)} @${rv} is not the state there: ${what}`,
    evidence: [`it took ${invoked}..${returned}`, ...about.map(describeSnapshot)],
  };
}
