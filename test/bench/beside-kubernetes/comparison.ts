import type { BesideBar } from '../bars.ts';
import { type Line, round } from '../report.ts';
import type { Pair } from './turns.ts';

const BENCH = 'beside-kubernetes';

/** The ratios of Winnow to kube-apiserver; below 1 Winnow is ahead. */
export interface Ratios {
  readonly p50: number;
  readonly cpu: number;
}

export function ratiosOf({ ours, theirs }: Pair): Ratios {
  return { p50: ours.p50 / theirs.p50, cpu: ours.cpu / theirs.cpu };
}

/** Whether each ratio that the bar names is low enough. */
export function reaches({ ahead = false, ...most }: BesideBar, ratios: Ratios): boolean {
  return (['p50', 'cpu'] as const).every((what) => {
    const bar = most[what];
    return bar === undefined || (ahead ? ratios[what] < bar : ratios[what] <= bar);
  });
}

/** `p50 ≤ 2, CPU ≤ 2`. */
export function textOf({ p50, cpu, ahead = false }: BesideBar): string {
  const sign = ahead ? '<' : '≤';
  return [p50 === undefined ? [] : `p50 ${sign} ${p50}`, cpu === undefined ? [] : `CPU ${sign} ${cpu}`]
    .flat()
    .join(', ');
}

/** What Winnow asked of DynamoDB for one request. */
export interface Counts {
  readonly requests: number;
  readonly units: number;
}

/** The counts in the header `Winnow-Explain` of a LIST. */
export function countsIn(header: string): Counts {
  const [, requests] = /\brequests=([\d.]+)/.exec(header) ?? [];
  const [, units] = /\bunits=([\d.]+)/.exec(header) ?? [];
  if (requests === undefined || units === undefined) throw new Error(`no counts in "${header}"`);
  return { requests: Number(requests), units: Number(units) };
}

export interface Compared extends Pair {
  readonly what: string;
  /** Absent if nothing is promised. */
  readonly bar?: BesideBar | undefined;
  /** Absent if the counts cannot be read without distorting the figures. */
  readonly counts?: Counts;
}

/** A row of the table. */
export function lineOf({ what, ours, theirs, bar, counts }: Compared): Line {
  const ratios = ratiosOf({ ours, theirs });
  return {
    bench: BENCH,
    what,
    'Winnow p50': round(ours.p50),
    'Winnow p99': round(ours.p99),
    'Winnow CPU': round(ours.cpu),
    'kube p50': round(theirs.p50),
    'kube p99': round(theirs.p99),
    'kube CPU': round(theirs.cpu),
    'p50 ratio': round(ratios.p50),
    'CPU ratio': round(ratios.cpu),
    ...counts,
    ...(bar !== undefined && { bar: textOf(bar), reached: reaches(bar, ratios) }),
  };
}
