import { CALM } from '../world/faults.ts';
import { BAD_DAY, HOUR, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const { faults } = QUEUES;

/**
 * Subscribers to namespaces that are created, deleted and relabelled, while functions die and notifications are lost.
 */
const RELABELLED: Scenario = {
  ...QUEUES,
  name: 'relabelled-namespaces',
  namespaces: ['default', 'other', 'third'],
  namespaceSelectors: 0.8,
  relabels: 8,
  subscribers: 3,
  labelSelectors: ['', 'app!=z', 'tier'],
  edits: 1,
  queueLosses: 1,
  writes: 20,
  pause: [0, 3_000],
  faults: { ...faults, crash: 0.005, freeze: 0.01, freezeFor: [50, 1_000], failedBatch: 0.3 },
};

/** A namespace that is deleted while other clients create objects in it. */
const DELETED: Scenario = {
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
    // A create stands still between its read of the namespace and its resourceVersion.
    freezeAt: 'batchGet object#core/namespaces',
    freeze: 0.3,
    freezeFor: [100, 7_000],
  },
  lasts: 20_000,
  calm: 5 * MINUTE,
};

/** Namespaces that are created, deleted and selected. */
export const NAMESPACE_SCENARIOS: readonly Scenario[] = [
  DELETED,
  {
    ...DELETED,
    name: 'emptied-by-messages',
    // One message deletes only a few objects, and the schedule does not help.
    names: 30,
    writes: 40,
    pause: [0, 300],
    emptying: 1,
    tickEvery: [HOUR, HOUR],
    faults: CALM,
    calm: MINUTE,
  },
  RELABELLED,
  {
    ...RELABELLED,
    name: 'relabelled-by-notices',
    tickEvery: [HOUR, HOUR],
    queueLosses: 0,
    faults: CALM,
    calm: MINUTE,
  },
];
