import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../../lib/json/index.ts';
import { objectErrors } from '../../../../../lib/kubernetes/validation/index.ts';
import { firstOverlap, readIndexes } from '../../../../../lib/kubernetes/validation/jobs/indexes.ts';
import { typeOf } from '../../../server/fixtures.ts';

const JOBS = typeOf('batch', 'v1', 'jobs');
const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
const template = { spec: { containers: [container], restartPolicy: 'Never', dnsPolicy: 'ClusterFirst' } };
const metadata = { name: 'x', namespace: 'default', uid: 'u' };

function job(spec: JsonObject, status: JsonObject = {}): JsonObject {
  return { metadata, spec: { manualSelector: true, selector: {}, template, ...spec }, status };
}

/** The errors of a Job as `field detail`, in the words of kube-apiserver. */
async function wrong(body: JsonObject, old?: JsonObject): Promise<string[]> {
  const subresource = old === undefined ? '' : 'status';
  return (await objectErrors({ type: JOBS, body, old, subresource })).map(
    ({ field, detail }) => `${field} ${detail}`,
  );
}

describe('the indexes of a Job', () => {
  it.each([
    ['', []],
    ['0', [[0, 0]]],
    [
      '0,2-3',
      [
        [0, 0],
        [2, 3],
      ],
    ],
    ['3,1', 'non-increasing order, previous: 3, current: 1'],
    ['2-2', 'non-increasing order, previous: 2, current: 2'],
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
    ['a', 'cannot convert string to integer for index: "a"'],
    ['1-', 'cannot convert string to integer for index: ""'],
    ['9', 'too large index: "9"'],
  ])('readIndexes reads %j as %j', (text, read) => {
    expect(readIndexes(text, 5)).toEqual(read);
  });

  it.each([
    ['0-2', '2', 2],
    ['0-2', '3', undefined],
    ['a,2', '2-1,1-3', 2],
    ['', '1', undefined],
  ])('the first common index of %j and %j is %j', (one, other, met) => {
    expect(firstOverlap(one, other, 5)).toBe(met);
  });
});

describe('The validation of a Job', () => {
  const indexed = { completionMode: 'Indexed', completions: 5 };
  const onExitCodes = { operator: 'In', values: [2, 1, 0] };

  it.each<[JsonObject, string[]]>([
    [{ managedBy: 'a' }, ['spec.managedBy must be a domain-prefixed path (such as "acme.io/foo")']],
    [{ managedBy: 'acme.io/foo' }, []],
    [
      { maxFailedIndexes: 1 },
      [
        'spec.backoffLimitPerIndex when maxFailedIndexes is specified',
        'spec.maxFailedIndexes requires indexed completion mode',
      ],
    ],
    [
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 },
      ['spec.maxFailedIndexes must be less than or equal to completions'],
    ],
    [
      { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } },
      [
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2] must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values []int32{2, 1, 0}: must be ordered',
      ],
    ],
    [
      { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
      ['spec.podFailurePolicy.rules[0] specifying one of OnExitCodes and OnPodConditions is required'],
    ],
    [
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2-3', succeededCount: 4 }] } },
      [
        'spec.successPolicy.rules[0].succeededCount must be less than or equal to 3 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
    [{ ...indexed, successPolicy: { rules: [{ succeededCount: 2 }] } }, []],
  ])('a Job of %j is refused for %j', async (spec, refused) => {
    expect(await wrong(job(spec))).toEqual(refused);
  });

  const is = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
  const times = { startTime: '2026-01-01T00:00:00Z', completionTime: '2026-01-01T01:00:00Z' };
  const done = { ...times, conditions: is('SuccessCriteriaMet', 'Complete') };

  it.each<[JsonObject, JsonObject, string[]]>([
    [{}, done, []],
    [
      {},
      { conditions: is('Complete') },
      [
        'status.completionTime completionTime is required for Complete jobs',
        'status.conditions cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.startTime startTime is required for finished job',
      ],
    ],
    [
      {},
      { conditions: is('Failed'), startTime: times.startTime },
      ['status.conditions cannot set Failed=True condition without the FailureTarget=true condition'],
    ],
    [
      { failed: 2 },
      { failed: 1, active: 1, ready: 2 },
      [
        'status.ready cannot set more ready pods than active',
        'status.failed cannot decrease the failed counter',
      ],
    ],
    [
      done,
      { ...done, completionTime: times.startTime },
      ['status.completionTime 2026-01-01 00:00:00 +0000 UTC: completionTime cannot be mutated'],
    ],
    [
      done,
      times,
      [
        'status.completionTime 2026-01-01 01:00:00 +0000 UTC: cannot set completionTime when there is no Complete=True condition',
        'status.conditions cannot disable the terminal Complete=True condition',
        'status.conditions cannot disable the SuccessCriteriaMet=True condition',
      ],
    ],
  ])('the status of a Job cannot change from %j to %j because of %j', async (before, now, refused) => {
    expect(await wrong(job({}, now), job({}, before))).toEqual(refused);
  });
});
