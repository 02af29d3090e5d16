import type { Labels } from '../../selectors/index.ts';

/** What a Tally has counted. */
export interface Counts {
  readonly total: number;
  /** Objects by the values of labels, as {@link groupOf} spells them; undefined: there were too many groups. */
  readonly groups: ReadonlyMap<string, number> | undefined;
}

/** Groups of one Tally, and the characters that they may take as text. */
export const MOST_GROUPS = 500;
const LONGEST_GROUPS = 128 * 1024;

export const NOTHING_COUNTED: Counts = { total: 0, groups: new Map() };

/** The values of the label keys, in their order, null where there is none; '' where nothing is grouped. */
export function groupOf(keys: readonly string[], labels: Labels): string {
  if (keys.length === 0) return '';
  // A label may be called as what every object inherits.
  return JSON.stringify(keys.map((key) => (Object.hasOwn(labels, key) ? labels[key] : null)));
}

/** The values of a group. */
export function valuesOf(group: string): readonly (string | null)[] {
  return group === '' ? [] : JSON.parse(group);
}

/** An object more in a group, or one less. */
export type Step = readonly [group: string, more: 1 | -1];

/** The counts after all these steps. */
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

/** Without groups, where they are too many: they are counted anew some time later. */
export function withinBounds(counts: Counts): Counts {
  const { total, groups } = counts;
  if (groups === undefined) return counts;
  const isTooMuch = groups.size > MOST_GROUPS || JSON.stringify([...groups]).length > LONGEST_GROUPS;
  return isTooMuch ? { total, groups: undefined } : counts;
}

/** As a state row holds it. */
export function printCounts({ total, groups }: Counts): string {
  return JSON.stringify({ total, groups: groups && [...groups] });
}

export function parseCounts(text: string): Counts {
  const { total, groups } = JSON.parse(text);
  return { total, groups: groups && new Map(groups) };
}
