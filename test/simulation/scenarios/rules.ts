import { BAD_DAY, READERS } from './base.ts';
import type { Scenario } from './scenario.ts';

const RULES: Scenario = {
  ...READERS,
  name: 'rules',
  writers: 0,
  informers: 0,
  listers: 0,
  rulers: 2,
  askers: 6,
  writes: 25,
  pause: [0, 400],
  listings: 30,
  listPause: [0, 300],
  lasts: 8_000,
  calm: 12_000,
};

const STEPS: Scenario = {
  ...RULES,
  name: 'steps',
  rulers: undefined,
  askers: undefined,
  steppers: 5,
  writes: 12,
  pause: [0, 300],
};

/** Admission policies that decide writes while they change, and writes that change what a rule decides about. */
export const RULE_SCENARIOS: readonly Scenario[] = [
  RULES,
  {
    ...RULES,
    name: 'dying-rules',
    faults: { ...BAD_DAY, crash: 0.02, slowTransaction: 0.2, slowFor: [100, 4_000] },
    lasts: 12_000,
  },
  STEPS,
];
