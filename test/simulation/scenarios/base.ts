import { TIMING } from '../../../lib/platform/index.ts';
import { CALM, type Faults } from '../world/faults.ts';
import type { Scenario } from './scenario.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A network and services as they are on a bad day. */
export const BAD_DAY: Faults = {
  ...CALM,
  throttle: 0.01,
  lostRequest: 0.005,
  lostAnswer: 0.01,
  lateRequest: 0.3,
  lateBy: [10, 3_000],
  spread: [0, 40],
  skew: 200,
};

/** Few names, so that clients meet; readers only, no queues. */
export const READERS: Scenario = {
  name: 'readers',
  namespaces: ['default', 'other'],
  names: 2,
  writers: 3,
  writes: 8,
  pause: [0, 400],
  informers: 2,
  watchFor: [1_000, 6_000],
  awayFor: [0, 100],
  listers: 1,
  listings: 6,
  listPause: [0, 600],
  pagePause: [0, 50],
  subscribers: 0,
  namespaceSelectors: 0,
  relabels: 0,
  owners: 0,
  kindUsers: 0,
  definitions: 0,
  definePause: [0, 0],
  claimants: 0,
  selectors: 0,
  placed: 0,
  binders: 0,
  bindPause: [0, 0],
  keepsWorld: false,
  givesBack: false,
  rations: 0,
  rationPause: [0, 0],
  edits: 0,
  queueLosses: 0,
  suspensions: 0,
  leaves: 0,
  standardQueues: 0,
  orderedByObject: 0,
  verified: 0,
  tickEvery: undefined,
  hintsASecond: undefined,
  groupSize: undefined,
  admissions: undefined,
  rogueDispatchers: 0,
  rogueTimeout: TIMING.dispatch,
  deletedNamespaces: [],
  faults: BAD_DAY,
  lasts: 4_000,
  calm: 12_000,
};

/** Readers and writers for a week, hours apart: journal entries expire. */
export const READER_DAYS: Scenario = {
  ...READERS,
  name: 'reader-days',
  writers: 4,
  writes: 40,
  pause: [0, 8 * HOUR],
  informers: 1,
  awayFor: [0, 10 * HOUR],
  listers: 3,
  listings: 30,
  listPause: [0, 10 * HOUR],
  pagePause: [0, HOUR],
  tickEvery: [HOUR, 8 * HOUR],
  lasts: 160 * HOUR,
  calm: 20_000,
};

/** Subscribers with dispatch and reconcile, some minutes long. */
export const QUEUES: Scenario = {
  ...READERS,
  name: 'queues',
  names: 3,
  writers: 2,
  writes: 15,
  pause: [0, 6_000],
  informers: 0,
  listers: 0,
  subscribers: 2,
  tickEvery: [MINUTE, MINUTE],
  faults: { ...BAD_DAY, refusedMessage: 0.02, failedBatch: 0.02 },
  lasts: 60_000,
  // Time for the schedule to find what is left, and for messages whose functions died to come again.
  calm: 8 * MINUTE,
};
