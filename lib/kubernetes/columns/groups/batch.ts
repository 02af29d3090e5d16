import type { JsonObject } from '../../../json/index.ts';
import {
  type Column,
  humanAge,
  humanDuration,
  listAt,
  NONE,
  numberAt,
  textAt,
} from '../../resource-types/index.ts';
import {
  AGE,
  field,
  hasCondition,
  integer,
  labelSelector,
  NAME,
  templateColumns,
  text,
  wide,
} from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

const jobColumns: readonly Column[] = [
  NAME,
  text('Status', 'Whether the job runs, or its result.', jobStatus),
  text('Completions', 'The number of pods that succeeded, and of pods that must succeed.', completions),
  text('Duration', 'The time from the start of the job to its completion, or until now.', duration),
  AGE,
  ...templateColumns('spec.template'),
  wide(labelSelector('Selector', 'spec.selector', 'The selector of the pods that it owns.')),
];

const cronJobColumns: readonly Column[] = [
  NAME,
  field('Schedule', 'spec.schedule', 'The schedule in cron format.', ''),
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
  wide(labelSelector('Selector', 'spec.jobTemplate.spec.selector', 'The selector of the pods of its jobs.')),
];

/** batch/v1 */
export const batch: ColumnsByKind = {
  CronJob: cronJobColumns,
  Job: jobColumns,
};

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
