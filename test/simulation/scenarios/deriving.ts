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

/** Statuses of workloads that are derived while these and their pods change. */
export const DERIVING_SCENARIOS: readonly Scenario[] = [
  DERIVING,
  {
    ...DERIVING,
    name: 'dying-deriving',
    // Whoever makes something due dies over it, and whoever has it.
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

/** Endpoints of Services that are derived while these, pods, nodes, Leases and slices change. */
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
    // Who has read what there is stands still, and writes late.
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
    // The journal tells of a change whose object is not to be read yet.
    faults: { ...QUEUES.faults, spread: [0, 3_000] },
  },
];
