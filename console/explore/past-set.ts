import type { Row } from '../api/index.ts';
import { labelDifference } from './label-difference.ts';
import { compareRows, keyOf, type Mark } from './rows.ts';

/** A past set beside the present one. */
export interface Differences {
  /** The rows of the past, and those that entered since, sorted by namespace and name. */
  readonly rows: readonly Row[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly left: number;
  readonly entered: number;
  readonly changed: number;
}

/**
 * Compares the set as it was with the set as it is. `isWhole`: both have all their objects; if they have not, an object
 * that is missing in one of them says nothing.
 */
export function differences(past: readonly Row[], present: readonly Row[], isWhole: boolean): Differences {
  const now = new Map(present.map((row) => [keyOf(row), row]));
  const then = new Set(past.map(keyOf));
  const marks = new Map<string, Mark>();
  let [left, changed] = [0, 0];
  for (const row of past) {
    const current = now.get(keyOf(row));
    if (current === undefined) {
      if (!isWhole) continue;
      left += 1;
      marks.set(keyOf(row), { kind: 'leave', words: 'left since', keys: [] });
      continue;
    }
    const { words, keys } = labelDifference(row.metadata.labels, current.metadata.labels);
    if (keys.length === 0) continue;
    changed += 1;
    marks.set(keyOf(row), { kind: 'change', words: `since: ${words}`, keys });
  }
  const entered = isWhole ? present.filter((row) => !then.has(keyOf(row))) : [];
  for (const row of entered) marks.set(keyOf(row), { kind: 'enter', words: 'entered since', keys: [] });
  const rows = entered.length === 0 ? past : [...past, ...entered].sort(compareRows);
  return { rows, marks, left, entered: entered.length, changed };
}

/** The minutes of a duration such as `90m`, `2h` or `1d`; undefined for a time. */
export function minutesOf(at: string): number | undefined {
  const [, number, unit] = /^(\d+)([smhd])$/.exec(at) ?? [];
  if (number === undefined) return undefined;
  const sizes: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1_440 };
  return Math.max(1, Math.round(Number(number) * (sizes[unit ?? 'm'] ?? 1)));
}
