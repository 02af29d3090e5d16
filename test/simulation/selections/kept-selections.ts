import { parseSelector } from '../../../lib/selectors/index.ts';
import type { Violation } from '../checks/index.ts';
import type { CarrierState, LookedUp, SelectionRecord } from './selection-record.ts';

/** The ms from when a transaction's first row is readable until its last one is. */
type Spread = number;

/**
 * Checks look-ups of carriers. A carrier that selects an object during the whole look-up is found. A carrier that is
 * found selected the object at some moment of the look-up. When all is quiet, the postings match the carriers.
 */
export function keptSelections(
  { lookUps, carriers, rows, findsFrom }: SelectionRecord,
  spread: Spread,
): Violation[] {
  const exact = lookUps.filter(({ began }) => began >= findsFrom);
  const faults = exact.flatMap((lookUp) =>
    [...carriers].flatMap(([name, states]) => {
      const matches = statesIn(states, lookUp, spread).map(({ text }) => selects(text, lookUp));
      const isFound = lookUp.found.includes(name);
      const what = `${name} by ${JSON.stringify(lookUp.labels)}, ${lookUp.began} to ${lookUp.ended} ms`;
      if (!isFound && matches.every(Boolean)) return [`not told, though it selected all the time: ${what}`];
      return isFound && !matches.some(Boolean) ? [`told, though it never selected: ${what}`] : [];
    }),
  );
  const left = [...rows].filter((row) => {
    return carriers.get(nameOfRow(row))?.at(-1)?.text === undefined;
  });
  const named = new Set([...rows].map(nameOfRow));
  const missed = [...carriers].filter(
    ([name, states]) => states.at(-1)?.text !== undefined && !named.has(name),
  );
  return [
    ...violation('a look-up was not exact', faults),
    ...violation('a row is left of who selects nothing', left),
    ...violation(
      'who selects has no row',
      missed.map(([name]) => name),
    ),
    ...violation(
      'what was there before is not gone over',
      findsFrom === Number.POSITIVE_INFINITY ? ['at the end'] : [],
    ),
  ];
}

const nameOfRow = (row: string) => row.split('#').at(-2) ?? '';

/** The states that a carrier may have had during a look-up; each counts from when it may have been readable. */
function statesIn(
  states: readonly CarrierState[],
  { began, ended }: LookedUp,
  spread: Spread,
): readonly CarrierState[] {
  const all = [{ from: -spread, text: undefined }, ...states];
  return all.filter(({ from }, index) => {
    const until = all[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return from - spread <= ended && until + spread >= began;
  });
}

function selects(text: string | undefined, { labels }: LookedUp): boolean {
  return text !== undefined && parseSelector(text).matches(labels);
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'selections', message, evidence: evidence.slice(0, 5) }];
}
