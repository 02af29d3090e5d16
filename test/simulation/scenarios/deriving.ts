import { MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const DERIVING: Scenario = {
  ...QUEUES,
  name: 'deriving',
  namespaces: ['default'],
  subscribers: 0,
  names: 4,
  workloads: 1,
  writers: 2,
  writes: 10,
  pause: [0, 4_000],
  faults: { ...QUEUES.faults, freeze: 0.03, freezeFor: [100, 4_000] },
  lasts: 40_000,
  calm: 5 * MINUTE,
};

/** Derived statuses of workloads, while the workloads and their pods change. */
export const DERIVING_SCENARIOS: readonly Scenario[] = [
  DERIVING,
  {
    ...DERIVING,
    name: 'dying-deriving',
    // The function that enqueues a work item dies during that call, and so does the one that handles it.
    faults: { ...QUEUES.faults, crashAt: 'update due#', crash: 0.2 },
  },
];

const SERVING: Scenario = {
  ...DERIVING,
  name: 'serving',
  workloads: undefined,
  registrars: 2,
  writers: 0,
  faults: { ...DERIVING.faults, crash: 0.002 },
};

/** Derived endpoints of Services, while Services, pods, nodes, Leases and slices change. */
export const SERVING_SCENARIOS: readonly Scenario[] = [
  SERVING,
  {
    ...SERVING,
    name: 'dying-serving',
    faults: { ...QUEUES.faults, crashAt: 'update due#', crash: 0.2 },
  },
  {
    ...SERVING,
    name: 'late-serving',
    // A function that has read the pods stands still, and writes late.
    faults: {
      ...QUEUES.faults,
      freezeAt: 'query object#core/pods',
      freeze: 0.3,
      freezeFor: [1_000, 20_000],
    },
  },
  {
    ...SERVING,
    name: 'torn-serving',
    // The journal has a change whose object is not readable yet.
    faults: { ...QUEUES.faults, spread: [0, 3_000] },
  },
];
