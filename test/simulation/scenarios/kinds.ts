import { BAD_DAY, MINUTE, QUEUES } from './base.ts';
import type { Scenario } from './scenario.ts';

const KINDS: Scenario = {
  ...QUEUES,
  name: 'kinds',
  writers: 0,
  subscribers: 0,
  kindUsers: 3,
  definitions: 4,
  definePause: [0, 40],
  watchFor: [20_000, 20_000],
  names: 8,
  writes: 40,
  pause: [0, 3_000],
  faults: BAD_DAY,
  lasts: 110_000,
  calm: 4 * MINUTE,
};

/** Kinds that are deleted and defined again differently: lib/server/registry, and the controllers of definitions. */
export const KIND_SCENARIOS: readonly Scenario[] = [
  KINDS,
  {
    ...KINDS,
    name: 'dying-kinds',
    faults: { ...BAD_DAY, crash: 0.04, slowTransaction: 0.05, slowFor: [500, 8_000] },
    calm: 10 * MINUTE,
  },
  {
    ...KINDS,
    name: 'kinds-at-once',
    kindUsers: 5,
    writes: 150,
    names: 40,
    pause: [0, 800],
    watchFor: [1_000, 1_000],
    // A request that has resolved its kind stands still for a moment before it continues.
    faults: { ...BAD_DAY, freezeAt: 'batchGet object#core/namespaces', freeze: 0.7, freezeFor: [100, 1_800] },
  },
  {
    ...KINDS,
    name: 'kinds-outlived',
    pause: [0, 1_500],
    // A function that has read the list of kinds stands still for longer than the deletion of a kind takes.
    faults: { ...BAD_DAY, freezeAt: 'get head#apiextensions', freeze: 0.2, freezeFor: [4_000, 16_000] },
  },
];
