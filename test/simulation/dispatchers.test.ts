import { describe, it } from '@jest/globals';
import { expectNoViolationsInSome } from './expectations.ts';
import { DISPATCHER_SCENARIOS } from './scenarios/dispatchers.ts';
import { GROUP_SCENARIOS } from './scenarios/groups.ts';

/** What these are for is met by few seeds, so the first ones say little more than that they can be run. */
const RARE = new Set(['late-admissions', 'groups-for-long', 'groups-by-time', 'groups-outlived']);
const PART = 0.1;

describe('subscribers of dispatchers beside each other', () => {
  it.each([...DISPATCHER_SCENARIOS, ...GROUP_SCENARIOS])(
    'are told what they were promised: $name',
    (scenario) => expectNoViolationsInSome(scenario, RARE.has(scenario.name) ? PART : 1),
  );
});
