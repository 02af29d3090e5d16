import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { DISPATCHER_SCENARIOS } from './scenarios/dispatchers.ts';
import { GROUP_SCENARIOS } from './scenarios/groups.ts';

/** Scenarios whose case few seeds meet. The first seeds show little more than that these scenarios run. */
const RARE = new Set(['late-admissions', 'groups-for-long', 'groups-by-time', 'groups-outlived']);
const PART = 0.1;

describe('Subscribers of several concurrent dispatchers', () => {
  it.each([...DISPATCHER_SCENARIOS, ...GROUP_SCENARIOS])(
    'Subscribers receive what was promised: $name',
    (scenario) => expectNoViolationsInSome(scenario, RARE.has(scenario.name) ? PART : 1),
  );
});
