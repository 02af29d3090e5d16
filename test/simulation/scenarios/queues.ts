import { CALM } from '../world/faults.ts';
import { BAD_DAY, HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const { faults } = QUEUES;

/** Many changes in one turn, and joining while they come. */
const BUSY: Scenario = {
  ...QUEUES,
  name: 'busy',
  writers: 3,
  writes: 30,
  pause: [0, 200],
  subscribers: 4,
  labelSelectors: ['', 'app!=z', 'tier'],
  edits: 1,
  faults: { ...faults, refusedMessage: 0.05, failedBatch: 0.05 },
  lasts: 6_000,
};

/** Dispatchers beside each other, while selectors are edited. */
const TWO_DISPATCHERS: Scenario = {
  ...QUEUES,
  name: 'two-dispatchers',
  rogueDispatchers: 2,
  subscribers: 3,
  edits: 3,
  labelSelectors: ['app=x', 'app=y', 'app=z'],
  // A turn that waits for a slow writer has read its subscriptions long before it sends.
  faults: {
    ...faults,
    slowTransaction: 0.2,
    slowFor: [100, 3_500],
    freeze: 0.003,
    freezeFor: [200, 60_000],
  },
  lasts: 40_000,
  writes: 40,
  pause: [0, 1_800],
  calm: 7 * MINUTE,
};

/** Subscribers, dispatchers, reconcile, namespaces: lib/watch. */
export const QUEUE_SCENARIOS: readonly Scenario[] = [
  QUEUES,
  {
    ...QUEUES,
    name: 'edited',
    subscribers: 3,
    edits: 3,
    leaves: 0.3,
    queueLosses: 1,
    calm: 20 * MINUTE,
  },
  {
    ...QUEUES,
    name: 'edits-cut-off',
    names: 6,
    subscribers: 2,
    edits: 8,
    writers: 3,
    writes: 120,
    pause: [0, 3_000],
    labelSelectors: ['', 'app=x', 'app=y', 'app!=z', 'tier'],
    tickEvery: [5_000, 15_000],
    // Functions stand still and die, and queues refuse, in the middle of what an edit says.
    faults: {
      ...faults,
      freeze: 0.04,
      freezeFor: [50, 1_000],
      crash: 0.03,
      crashAt: 'update subscriptions#',
      refusedMessage: 0.03,
      failedBatch: 0.03,
    },
    lasts: 3 * MINUTE,
    calm: 12 * MINUTE,
  },
  {
    ...QUEUES,
    name: 'stood-still',
    // A queue refuses for longer than the journal is kept.
    faults: { ...faults, failedBatch: 0.97, failedBatchAt: 'sqs://winnow-' },
    tickEvery: [HOUR, HOUR],
    edits: 1,
    writes: 20,
    pause: [0, 6 * HOUR],
    lasts: 70 * HOUR,
    calm: 24 * HOUR,
  },
  {
    ...QUEUES,
    name: 'refusing-queues',
    writes: 30,
    pause: [0, 2_000],
    faults: { ...faults, refusedMessage: 0.15, failedBatch: 0.1 },
  },
  {
    ...QUEUES,
    name: 'refused-notices',
    writes: 30,
    pause: [0, 2_000],
    edits: 1,
    faults: { ...CALM, refusedMessage: 0.2, failedBatch: 0.2 },
  },
  {
    ...QUEUES,
    name: 'lost-hints',
    subscribers: 1,
    writers: 1,
    writes: 3,
    pause: [0, 20_000],
    faults: { ...CALM, failedBatch: 0.3 },
  },
  BUSY,
  {
    ...BUSY,
    name: 'admissions',
    edits: 3,
    // Between meeting the head and saying so: others go on meanwhile.
    faults: { ...BUSY.faults, freeze: 0.03, freezeFor: [10, 400] },
  },
  {
    ...QUEUES,
    name: 'dying-functions',
    faults: { ...faults, crash: 0.015, slowTransaction: 0.03, slowFor: [500, 8_000] },
    edits: 1,
    rogueDispatchers: 1,
    lasts: 2 * MINUTE,
    pause: [0, 8_000],
    calm: 12 * MINUTE,
  },
  {
    ...QUEUES,
    name: 'dying-while-refused',
    // The store of a fall-back is throttled, and the function dies over the cursor before it tries again.
    faults: {
      ...faults,
      throttle: 0.2,
      refusedMessage: 0.1,
      crash: 0.1,
      crashAt: 'update head#core/pods cursor',
    },
    rogueDispatchers: 2,
    subscribers: 4,
    labelSelectors: ['', 'app!=z', 'tier'],
    writes: 60,
    pause: [0, 3_000],
    lasts: 90_000,
    calm: 12 * MINUTE,
  },
  TWO_DISPATCHERS,
  { ...TWO_DISPATCHERS, name: 'many-dispatchers', rogueDispatchers: 6 },
  {
    ...QUEUES,
    name: 'outlived-leases',
    rogueDispatchers: 3,
    // Nobody stops them: what a stale one sends comes once more, but no selector changes meanwhile.
    rogueTimeout: HOUR,
    labelSelectors: ['', 'app!=z', 'tier'],
    faults: { ...faults, refusedMessage: 0.2, failedBatch: 0.1, freeze: 0.02, freezeFor: [1_000, 60_000] },
    writes: 40,
    pause: [0, 4_000],
    lasts: 90_000,
    calm: 12 * MINUTE,
  },
  {
    ...QUEUES,
    name: 'outlived-turns',
    rogueDispatchers: 4,
    rogueTimeout: HOUR,
    subscribers: 4,
    labelSelectors: ['', 'app!=z', 'tier'],
    // Dispatchers stand still between saying that they change states and changing them: some for longer than their
    // lease, so that the turn of another one meets what they store.
    faults: {
      ...faults,
      refusedMessage: 0.2,
      failedBatch: 0.1,
      freezeAt: 'update head#core/pods cursor',
      freeze: 0.15,
      freezeFor: [1_000, 60_000],
    },
    writes: 60,
    pause: [0, 4_000],
    lasts: 3 * MINUTE,
    calm: 12 * MINUTE,
  },
  { ...QUEUES, name: 'standard-queues', standardQueues: 1, faults: { ...faults, duplicate: 0.1 } },
  {
    ...QUEUES,
    name: 'namespaces',
    namespaces: ['other'],
    deletedNamespaces: ['other'],
    names: 8,
    subscribers: 0,
    writes: 30,
    writers: 6,
    pause: [0, 600],
    faults: {
      ...BAD_DAY,
      // A create stands still between its look at the namespace and its resourceVersion.
      freezeAt: 'get object#core/namespaces',
      freeze: 0.3,
      freezeFor: [100, 7_000],
    },
    lasts: 20_000,
    calm: 5 * MINUTE,
  },
  {
    ...QUEUES,
    name: 'many-subscribers',
    // All at once, more than one turn admits, and no schedule to find who was forgotten.
    subscribers: 60,
    tickEvery: [HOUR, HOUR],
    writers: 1,
    writes: 10,
    pause: [0, 400],
    // A turn stands still when it has read who is ready: meanwhile the others become so.
    faults: { ...CALM, freezeAt: 'query subscriptions#core/pods', freeze: 0.5, freezeFor: [500, 1_500] },
    lasts: 1_000,
    calm: MINUTE,
  },
  {
    ...QUEUES,
    name: 'quiet-for-days',
    pause: [0, 8 * HOUR],
    tickEvery: [HOUR, 4 * HOUR],
    edits: 1,
    lasts: 80 * HOUR,
    calm: 24 * HOUR,
  },
];
