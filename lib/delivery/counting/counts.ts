import type { Labels } from '../../selectors/index.ts';

/** The counts of a Tally. */
export interface Counts {
  readonly total: number;
  /** Objects by label values, with keys in the form of {@link groupOf}; undefined: there were too many groups. */
  readonly groups: ReadonlyMap<string, number> | undefined;
}

/** The most groups of one Tally, and the most characters of their text. */
export const MOST_GROUPS = 500;
const LONGEST_GROUPS = 128 * 1024;

export const NOTHING_COUNTED: Counts = { total: 0, groups: new Map() };

/** The values of the label keys as JSON, in the order of the keys, null for a missing label; '' without keys. */
export function groupOf(keys: readonly string[], labels: Labels): string {
  if (keys.length === 0) return '';
  // A label key may have the name of a property that every object inherits.
  return JSON.stringify(keys.map((key) => (Object.hasOwn(labels, key) ? labels[key] : null)));
}

/** Parses a group into its values. */
export function valuesOf(group: string): readonly (string | null)[] {
  return group === '' ? [] : JSON.parse(group);
}

/** One object more in a group, or one less. */
export type Step = readonly [group: string, more: 1 | -1];

/** Returns the counts after all these steps. */
export function withSteps({ total, groups }: Counts, steps: Iterable<Step>): Counts {
  const changed = groups && new Map(groups);
  let all = total;
  for (const [group, more] of steps) {
    all += more;
    if (group === '' || changed === undefined) continue;
    const count = (changed.get(group) ?? 0) + more;
    if (count === 0) {
      changed.delete(group);
    } else {
      changed.set(group, count);
    }
  }
  return { total: all, groups: changed };
}

/** Drops the groups if there are too many. Winnow counts them again later. */
export function withinBounds(counts: Counts): Counts {
  const { total, groups } = counts;
  if (groups === undefined) return counts;
  const isTooMuch = groups.size > MOST_GROUPS || JSON.stringify([...groups]).length > LONGEST_GROUPS;
  return isTooMuch ? { total, groups: undefined } : counts;
}

/** The counts as text in a state row. */
export function printCounts({ total, groups }: Counts): string {
  return JSON.stringify({ total, groups: groups && [...groups] });
}

export function parseCounts(text: string): Counts {
  const { total, groups } = JSON.parse(text);
  return { total, groups: groups && new Map(groups) };
}
