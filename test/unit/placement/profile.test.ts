import { describe, expect, it } from '@jest/globals';
import { parseProfile } from '../../../lib/placement/index.ts';

const term = (operator: string) => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator, values: ['main'] }] }],
});

describe('The parsing of a profile', () => {
  it('A profile has the values of its text', () => {
    const addedAffinity = { requiredDuringSchedulingIgnoredDuringExecution: term('In') };
    const profile = { hardPodAffinityWeight: 0, addedAffinity };
    expect(parseProfile(profile)).toEqual(profile);
    expect(parseProfile({})).toEqual({});
  });

  it.each<[unknown, string]>([
    [null, 'a profile: must be an object'],
    [{ bySchedulerName: { a: { addedAffinity: 1 } } }, 'bySchedulerName[a].addedAffinity: must be an object'],
    [{ hardPodAffinityWeigth: 1 }, 'unknown field "hardPodAffinityWeigth"'],
    [{ hardPodAffinityWeight: 101 }, 'Invalid value: 101: not in valid range [0, 100]'],
    [{ hardPodAffinityWeight: 0.5 }, 'not in valid range'],
    [{ addedAffinity: 'main' }, 'addedAffinity: must be an object'],
    [{ addedAffinity: { nodeAffinity: {} } }, 'addedAffinity: unknown field "nodeAffinity"'],
    [{ addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term('Near') } }, 'addedAffinity'],
  ])('%j is none', (given, why) => {
    expect(() => parseProfile(given)).toThrow(why);
  });
});
