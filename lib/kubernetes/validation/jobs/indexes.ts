/** The indexes of a Job. `0,3-5,7` is `[[0, 0], [3, 5], [7, 7]]`. */
export type Intervals = readonly (readonly [first: number, last: number])[];

const INTEGER = /^[+-]?\d+$/;

/**
 * Returns the intervals of a text, or the reason in Kubernetes' words why they are invalid for this number of
 * completions.
 */
export function readIndexes(text: string, completions: number): Intervals | string {
  const intervals: (readonly [number, number])[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = readInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const last = intervals.at(-1)?.[1];
    if (last !== undefined && last >= interval[0]) return notIncreasing(last, interval[0]);
    intervals.push(interval);
  }
  return intervals;
}

export function countOfIndexes(intervals: Intervals): number {
  return intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Returns the first index that two texts share. Invalid parts are skipped. */
export function firstOverlap(one: string, other: string, completions: number): number | undefined {
  const [left, right] = [one, other].map((text) => goodIntervals(text, completions));
  for (const [first, last] of left ?? []) {
    const met = right?.find(([from, to]) => first <= to && from <= last);
    if (met !== undefined) return Math.max(first, met[0]);
  }
  return undefined;
}

function goodIntervals(text: string, completions: number): Intervals {
  if (text === '') return [];
  const all = text.split(',').map((part) => readInterval(part, completions));
  return all.filter((interval) => typeof interval !== 'string');
}

function readInterval(text: string, completions: number): readonly [number, number] | string {
  const [first = '', last, ...more] = text.split('-');
  if (more.length > 0) {
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  for (const limit of last === undefined ? [first] : [first, last]) {
    if (!INTEGER.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
  }
  if (last === undefined) return [Number(first), Number(first)];
  return Number(first) >= Number(last)
    ? notIncreasing(Number(first), Number(last))
    : [Number(first), Number(last)];
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
