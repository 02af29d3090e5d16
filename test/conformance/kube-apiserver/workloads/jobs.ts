import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { CONTAINER, job } from './make.ts';

const JOBS_PATH = '/apis/batch/v1/namespaces/swept/jobs';

const indexed = (spec: JsonObject) => job({ completionMode: 'Indexed', completions: 5, ...spec });
const failing = (...rules: JsonObject[]) => job({ podFailurePolicy: { rules } });
const succeeding = (...rules: JsonObject[]) => indexed({ successPolicy: { rules } });
const onCodes = (onExitCodes: JsonObject) => failing({ action: 'FailJob', onExitCodes });
const onConditions = (...onPodConditions: JsonObject[]) => failing({ action: 'Ignore', onPodConditions });

/** Jobs, each with its own oddity. */
export const jobs: readonly JsonObject[] = [
  job({ managedBy: '' }),
  job({ managedBy: 'a' }),
  job({ managedBy: `A_/b c${'d'.repeat(60)}` }),
  job({ managedBy: 'acme.io/foo' }),
  job({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
  job({ maxFailedIndexes: 1, parallelism: -1, completions: -1, ttlSecondsAfterFinished: -1 }),
  job({ completionMode: 'Odd', podReplacementPolicy: 'Odd' }),
  job({}, 'Always'),
  job({}, 'Odd'),
  indexed({ maxFailedIndexes: 9, backoffLimitPerIndex: 1, parallelism: 100_001 }),
  indexed({ completions: 200_000, backoffLimitPerIndex: 1, parallelism: 20_000 }),
  indexed({ completions: 200_000, backoffLimitPerIndex: 1, maxFailedIndexes: 100_001 }),
  {
    spec: {
      completionMode: 'Indexed',
      template: { spec: { containers: [CONTAINER], restartPolicy: 'Never' } },
    },
  },
  failing({}, { action: 'Odd', onExitCodes: { operator: 'In', values: [1] } }),
  failing({
    action: 'FailIndex',
    onExitCodes: { operator: 'In', values: [1] },
    onPodConditions: [{ type: 'a' }],
  }),
  onCodes({}),
  onCodes({ operator: 'Odd', values: [2, 1, 1], containerName: 'x' }),
  onCodes({ operator: 'In', values: [0, 1] }),
  onCodes({ operator: 'NotIn', values: [0, 1], containerName: 'c' }),
  onConditions({ type: 'a b', status: '' }, { type: 'DisruptionTarget', status: 'Odd' }),
  onConditions({ type: 'DisruptionTarget' }),
  failing(...Array.from({ length: 21 }, () => ({ action: 'Ignore', onPodConditions: [{ type: 'a' }] }))),
  job({ podFailurePolicy: { rules: [] }, podReplacementPolicy: 'TerminatingOrFailed' }, 'OnFailure'),
  job({ successPolicy: { rules: [] } }),
  succeeding(),
  succeeding({}, { succeededCount: 9 }, { succeededIndexes: '0,2-3', succeededCount: 4 }),
  succeeding({ succeededIndexes: '3,1' }, { succeededIndexes: '1-2-3' }, { succeededIndexes: 'a' }),
  succeeding(
    { succeededIndexes: '9' },
    { succeededIndexes: '2-1' },
    { succeededIndexes: '', succeededCount: -1 },
  ),
  succeeding({ succeededIndexes: '0-4', succeededCount: 2 }),
];

const CRON_JOBS: readonly JsonObject[] = [
  { schedule: '' },
  { schedule: '* * * *' },
  { schedule: '@every 1m', timeZone: 'Nowhere/City' },
  { schedule: 'TZ=UTC * * * * *' },
  { schedule: '61 * * * *', timeZone: '' },
  { schedule: '* * * * *', timeZone: 'Local', concurrencyPolicy: 'Odd', startingDeadlineSeconds: -1 },
  { schedule: '* * * * *', successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
];

function cronJob(spec: JsonObject): JsonObject {
  return { spec: { ...spec, jobTemplate: job({}) } };
}

/** CronJobs, each with its own oddity. */
export const cronJobs: readonly JsonObject[] = CRON_JOBS.map(cronJob);

const TIME = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T01:00:00Z';
const is = (type: string, status = 'True') => ({
  type,
  status,
  lastTransitionTime: TIME,
  lastProbeTime: TIME,
});
const conditions = (...types: string[]) => types.map((type) => is(type));
const DONE = {
  startTime: TIME,
  completionTime: LATER,
  conditions: conditions('SuccessCriteriaMet', 'Complete'),
};

/** Statuses that are written to a Job, one after the other. */
const STATUSES: readonly JsonObject[] = [
  { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
  { uncountedTerminatedPods: { succeeded: ['', 'a', 'a'], failed: ['a', 'b'] } },
  { ready: 2, active: 1 },
  { conditions: conditions('Complete') },
  { conditions: conditions('Complete', 'Failed') },
  { conditions: conditions('Failed') },
  {
    conditions: conditions('Complete', 'FailureTarget', 'SuccessCriteriaMet'),
    startTime: LATER,
    completionTime: TIME,
  },
  { completionTime: TIME },
  { completedIndexes: '9', failedIndexes: '1,0' },
  { completedIndexes: '0-2', failedIndexes: '2' },
  { completedIndexes: 'a,2', failedIndexes: '2-1,1-3' },
  { conditions: conditions('SuccessCriteriaMet', 'Failed', 'FailureTarget') },
  { startTime: TIME, failed: 2, succeeded: 3, active: 1 },
  { startTime: null, failed: 1, succeeded: 1 },
  { ...DONE, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['x'] } },
  { ...DONE, active: 0, startTime: null },
  { ...DONE, active: 0 },
  { ...DONE, completionTime: TIME },
  { conditions: [is('Complete', 'False'), is('SuccessCriteriaMet', 'False')], completionTime: null },
];

/** The requests that create Jobs and write their statuses. */
export const statusesOfJobs: readonly {
  method: string;
  path: string;
  contentType?: string;
  body?: JsonValue;
}[] = [
  ['indexed', indexed({ backoffLimitPerIndex: 1 })] as const,
  ['plain', job({})] as const,
  ['sufficient', succeeding({ succeededCount: 1 })] as const,
].flatMap(([name, content]) => [
  {
    method: 'POST',
    path: JOBS_PATH,
    contentType: 'application/json',
    body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, ...content },
  },
  ...STATUSES.map((status) => ({
    method: 'PATCH',
    path: `${JOBS_PATH}/${name}/status`,
    contentType: 'application/merge-patch+json',
    body: { status },
  })),
]);
