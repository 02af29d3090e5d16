import type { JsonObject } from '../../../store/index.ts';
import {
  AGE,
  field,
  hasCondition,
  integer,
  labelSelector,
  NAME,
  NONE,
  templateColumns,
  text,
  wide,
} from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { humanAge, humanDuration } from '../human-duration.ts';
import { listAt, numberAt, textAt } from '../json-path.ts';
import type { Column } from '../resource-type.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

const jobColumns: readonly Column[] = [
  NAME,
  text('Status', 'Whether it runs or how it ended.', jobStatus),
  text('Completions', 'Pods that succeeded of those wanted.', completions),
  text('Duration', 'From its start to its completion, or to now.', duration),
  AGE,
  ...templateColumns('spec.template'),
  wide(labelSelector('Selector', 'spec.selector', 'Which pods it owns.')),
];

const cronJobColumns: readonly Column[] = [
  NAME,
  field('Schedule', 'spec.schedule', 'When it runs, in cron format.', ''),
  field('Timezone', 'spec.timeZone', 'The time zone of the schedule.'),
  {
    ...text('Suspend', 'Whether it starts no further jobs.', (o) =>
      textAt(o, 'spec.suspend') === 'true' ? 'True' : 'False',
    ),
    type: 'boolean',
  },
  integer('Active', 'Jobs that run now.', (o) => listAt(o, 'status.active').length),
  text('Last Schedule', 'Time since it last started a job.', (o, now) => {
    const last = textAt(o, 'status.lastScheduleTime');
    return last === '' ? NONE : humanAge(last, now);
  }),
  AGE,
  ...templateColumns('spec.jobTemplate.spec.template'),
  wide(labelSelector('Selector', 'spec.jobTemplate.spec.selector', 'Which pods its jobs own.')),
];

/** batch/v1 */
export const batch = defineResourceTypes('batch', 'v1', [
  {
    kind: 'CronJob',
    resource: 'cronjobs',
    description: 'CronJob describes a job that runs on a schedule.',
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
    columns: cronJobColumns,
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'Job',
    resource: 'jobs',
    description: 'Job describes pods that run until they have succeeded.',
    categories: ['all'],
    status: true,
    fields: ['status.successful'],
    selectors: [{ path: ['spec', 'selector'], kind: 'labelSelector' }],
    columns: jobColumns,
    properties: SPEC_AND_STATUS,
  },
]);

function jobStatus(job: JsonObject): string {
  const ended = ['Complete', 'Failed'].find((type) => hasCondition(job, type));
  if (ended !== undefined) return ended;
  if (textAt(job, 'metadata.deletionTimestamp') !== '') return 'Terminating';
  const pending = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) =>
    hasCondition(job, type),
  );
  return pending ?? 'Running';
}

function completions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status.succeeded');
  const parallelism = numberAt(job, 'spec.parallelism');
  const wanted = numberAt(job, 'spec.completions', Number.NaN);
  if (!Number.isNaN(wanted)) return `${succeeded}/${wanted}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: JsonObject, now: number): string {
  const start = textAt(job, 'status.startTime');
  const end = textAt(job, 'status.completionTime');
  return start === '' ? '' : humanDuration((end === '' ? now : Date.parse(end)) - Date.parse(start));
}
