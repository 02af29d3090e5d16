import type { Faults } from '../world/faults.ts';
import { BAD_DAY, MINUTE, READERS } from './base.ts';
import type { Scenario } from './scenario.ts';

const ACCESS: Scenario = {
  ...READERS,
  name: 'access',
  writers: 0,
  informers: 0,
  listers: 0,
  administrators: 2,
  askers: 6,
  writes: 25,
  pause: [0, 400],
  listings: 30,
  listPause: [0, 300],
  lasts: 8_000,
  calm: 12_000,
};

/** Processes start and end all the time, so each has to list everything before it can decide. */
const BUSY: Scenario = {
  ...ACCESS,
  administrators: 5,
  writes: 40,
  pause: [0, 80],
  listPause: [0, 60],
  faults: { ...BAD_DAY, crashAt: 'get access#', crash: 0.04, spread: [0, 10] },
  lasts: 4_000,
};

/** Tenants see pods by grants alone, while grants and labels change. */
const TENANTS: Scenario = {
  ...READERS,
  name: 'tenants',
  informers: 0,
  listers: 0,
  tenants: 4,
  writers: 2,
  writes: 40,
  pause: [0, 2_500],
  grants: 8,
  grantPause: [0, 9_000],
  watchFor: [5_000, 80_000],
  lasts: 60_000,
  calm: 60_000,
};

/** Tenants also use the verbs that other scenarios leave out. */
const EVERY_VERB: Scenario = { ...TENANTS, name: 'tenants-every-verb', everyVerb: 30 };

/** Tenants have Subscriptions and Tallies of what their grants select. */
const TOLD: Scenario = {
  ...TENANTS,
  name: 'told-tenants',
  tellings: 2,
  grants: 12,
  tickEvery: [MINUTE, MINUTE],
  watchFor: [1_000, 5_000],
  calm: 8 * MINUTE,
};

/** Functions die now and then, queues refuse messages, and writes commit late. */
const DYING_QUEUES: Faults = {
  ...BAD_DAY,
  crash: 0.003,
  refusedMessage: 0.02,
  failedBatch: 0.02,
  slowTransaction: 0.1,
  slowFor: [100, 4_000],
};

/** Authors of Subscriptions and Tallies whose identity ends, begins anew under its name, or loses a group. */
const AUTHORS: Scenario = {
  ...READERS,
  name: 'authors',
  informers: 0,
  listers: 0,
  authors: 8,
  identities: 5,
  identityPause: [0, 25_000],
  writers: 1,
  writes: 30,
  pause: [0, 5_000],
  tickEvery: [MINUTE, MINUTE],
  lasts: 75_000,
  calm: 8 * MINUTE,
};

/**
 * Access control while the rules change: the caches of processes, and the one row that says whether a cache is
 * current.
 */
export const ACCESS_SCENARIOS: readonly Scenario[] = [
  ACCESS,
  {
    ...ACCESS,
    name: 'dying-access',
    faults: { ...BAD_DAY, crash: 0.02, slowTransaction: 0.2, slowFor: [100, 4_000] },
    lasts: 12_000,
  },
  {
    ...BUSY,
    name: 'access-far-apart',
    // A process that lists everything stands still between two collections.
    faults: { ...BUSY.faults, freezeAt: 'get head#rbac', freeze: 0.2, freezeFor: [50, 800] },
  },
  // Identities and rights change while the audit log begins the event of a request.
  { ...BUSY, name: 'audited-access', askers: 12, auditPause: [0, 60] },
  // Many requests arrive while a process lists everything, and answers about the one row overtake each other.
  { ...BUSY, name: 'access-at-once', askers: 30, listings: 20 },
  {
    ...ACCESS,
    name: 'access-written-late',
    administrators: 5,
    writes: 12,
    pause: [0, 250],
    // Of two writers of one collection the later one commits first, and few requests come between.
    askers: 4,
    faults: { ...BAD_DAY, slowTransaction: 0.5, slowFor: [20, 600] },
    lasts: 10_000,
  },
  TENANTS,
  {
    ...TENANTS,
    name: 'dying-tenants',
    faults: { ...BAD_DAY, crash: 0.003, slowTransaction: 0.1, slowFor: [100, 4_000] },
  },
  EVERY_VERB,
  {
    ...EVERY_VERB,
    name: 'dying-tenants-every-verb',
    faults: { ...BAD_DAY, crash: 0.003, slowTransaction: 0.1, slowFor: [100, 4_000] },
  },
  TOLD,
  {
    ...TOLD,
    name: 'told-on-a-bad-day',
    faults: DYING_QUEUES,
  },
  AUTHORS,
  {
    ...AUTHORS,
    name: 'authors-on-a-bad-day',
    faults: DYING_QUEUES,
  },
];
