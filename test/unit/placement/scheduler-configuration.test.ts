import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { parseSchedulerConfiguration } from '../../../lib/placement/index.ts';

/** The example of https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/, with a second plugin. */
const EXAMPLE = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
profiles:
  - schedulerName: default-scheduler
  - schedulerName: foo-scheduler
    pluginConfig:
      - name: NodeAffinity
        args:
          apiVersion: kubescheduler.config.k8s.io/v1
          kind: NodeAffinityArgs
          addedAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - key: scheduler-profile
                  operator: In
                  values: [foo]
      - name: InterPodAffinity
        args: { hardPodAffinityWeight: 5 }
`;

const configuration = (more: object) => ({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  ...more,
});
const configured = (name: string, args: object) =>
  configuration({ profiles: [{ pluginConfig: [{ name, args }] }] });

describe('parseSchedulerConfiguration', () => {
  it('returns the arguments of each profile by the name of its scheduler', () => {
    expect(parseSchedulerConfiguration(parse(EXAMPLE))).toEqual({
      bySchedulerName: {
        'default-scheduler': {},
        'foo-scheduler': {
          addedAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'scheduler-profile', operator: 'In', values: ['foo'] }] },
              ],
            },
          },
          hardPodAffinityWeight: 5,
        },
      },
    });
  });

  it.each<[string, unknown, string]>([
    [
      'a scheduling policy',
      { kind: 'Policy', apiVersion: 'v1', extenders: [{}] },
      'removed scheduling policies',
    ],
    ['another kind', configuration({ kind: 'Pod' }), 'must be "KubeSchedulerConfiguration"'],
    ['an unknown version', configuration({ apiVersion: 'v1' }), 'apiVersion: "v1": must be one of'],
    ['extenders', configuration({ extenders: [{}] }), 'extenders: placement calls no other program'],
    ['an unknown field', configuration({ profile: [] }), 'unknown field "profile"'],
    ['profiles that are no list', configuration({ profiles: {} }), 'profiles: must be a list'],
    [
      'a choice of plugins',
      configuration({ profiles: [{ plugins: {} }] }),
      'profiles[0].plugins: placement always',
    ],
    [
      'two profiles of one scheduler',
      configuration({ profiles: [{}, { schedulerName: 'default-scheduler' }] }),
      'profiles[1].schedulerName: Duplicate value: "default-scheduler"',
    ],
    ['a profile without a name', configuration({ profiles: [{ schedulerName: '' }] }), 'must be a name'],
    [
      'arguments of another plugin',
      configured('NodeResourcesFit', {}),
      'profiles[0].pluginConfig[0].name: "NodeResourcesFit"',
    ],
    [
      'an unknown argument',
      configured('NodeAffinity', { a: 1 }),
      'unknown field "profiles[0].pluginConfig[0].args.a"',
    ],
    [
      'preferred terms that do not count',
      configured('InterPodAffinity', { ignorePreferredTermsOfExistingPods: true }),
      'placement always counts these terms',
    ],
    [
      'a weight out of range',
      configured('InterPodAffinity', { hardPodAffinityWeight: 101 }),
      'not in valid range',
    ],
    ['no object', null, 'the configuration: must be an object'],
  ])('refuses %s', (_, given, why) => {
    expect(() => parseSchedulerConfiguration(given)).toThrow(why);
  });
});
