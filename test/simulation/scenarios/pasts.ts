import { BAD_DAY, HOUR, READERS } from './base.ts';
import { KIND_SCENARIOS } from './kinds.ts';
import type { Scenario } from './scenario.ts';

const PAST: Scenario = {
  ...READERS,
  name: 'history',
  writers: 0,
  informers: 0,
  listers: 0,
  pastWriters: 4,
  historians: 3,
  writes: 40,
  pause: [0, 300],
  listings: 25,
  listPause: [0, 500],
  pagePause: [0, 200],
  faults: { ...BAD_DAY, slowTransaction: 0.1, slowFor: [100, 3_000], crash: 0.002 },
  lasts: 12_000,
  calm: 20_000,
};

/** Journal entries expire between the reads. */
export const DAYS: Scenario = {
  ...PAST,
  name: 'history-of-days',
  faults: BAD_DAY,
  writes: 30,
  pause: [0, 8 * HOUR],
  listings: 60,
  listPause: [0, 6 * HOUR],
  pagePause: [0, HOUR],
  tickEvery: [HOUR, 8 * HOUR],
  lasts: 168 * HOUR,
};

const [KINDS = PAST] = KIND_SCENARIOS;

/** The history of objects, while they change, expire, and belong to kinds that are defined again. */
export const PAST_SCENARIOS: readonly Scenario[] = [
  PAST,
  DAYS,
  {
    ...PAST,
    name: 'history-row-by-row',
    names: 1,
    namespaces: ['default'],
    pause: [0, 100],
    listPause: [0, 100],
    // The rows of a transaction become readable far apart.
    faults: { ...BAD_DAY, spread: [0, 90] },
  },
  {
    ...KINDS,
    name: 'history-of-kinds',
    historians: 2,
    listings: 60,
    listPause: [0, 4_000],
  },
];
