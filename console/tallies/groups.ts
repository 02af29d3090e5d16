import { EXPLORE, type Route } from '../route/index.ts';
import { exploreRoute, type SetSpec } from '../sets/index.ts';

/** The number of objects with a combination of labels. A label that the group lacks is absent. */
export interface Group {
  readonly labels?: Readonly<Record<string, string>>;
  readonly count: number;
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** A bar of a Tally. */
export interface Bar {
  /** The values in the order of the keys; `null` for a label that the group lacks. */
  readonly values: readonly (string | null)[];
  readonly count: number;
  /** 0 to 1: the length of the bar. */
  readonly share: number;
  /** The label selector of the group: `site=east,!model`. */
  readonly selector: string;
}

/** The groups of a Tally as bars, the largest first. */
export function barsOf(groups: readonly Group[], keys: readonly string[]): Bar[] {
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const bars = groups.map(({ labels = {}, count }) => ({
    values: keys.map((key) => labels[key] ?? null),
    count,
    share: count / most,
    selector: keys.map((key) => (key in labels ? `${key}=${labels[key]}` : `!${key}`)).join(','),
  }));
  return bars.sort((one, other) => other.count - one.count || (one.selector < other.selector ? -1 : 1));
}

/** The route of a group in Explore. */
export function routeOf(spec: SetSpec, own: string, selector: string): Route {
  return { ...EXPLORE, ...exploreRoute(spec, own, selector) };
}

/** Where a count lies between bounds, from 0 to 1, and the places of the bounds on the same scale. */
export interface Gauge {
  readonly at: number;
  readonly min?: number;
  readonly max?: number;
}

/** Puts a count and its bounds on one scale that begins at 0. Undefined without bounds. */
export function gaugeOf(count: number, { min, max }: Bounds = {}): Gauge | undefined {
  if (min === undefined && max === undefined) return undefined;
  const end = Math.max(1, count, min ?? 0, max ?? 0) * 1.15;
  return {
    at: count / end,
    ...(min === undefined ? {} : { min: min / end }),
    ...(max === undefined ? {} : { max: max / end }),
  };
}

/** Bounds in words: `at least 3`, `3 to 8`. Empty without bounds. */
export function boundsText({ min, max }: Bounds = {}): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? '' : `at most ${max}`;
}
