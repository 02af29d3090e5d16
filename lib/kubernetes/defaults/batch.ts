import { isJsonObject } from '../../json/index.ts';
import type { Defaults } from './defaults.ts';
import { labelsFromTemplate } from './workloads.ts';

const NEVER = 2 ** 31 - 1;
const RETRIES = 6;

/** The defaults of Jobs. The Job template of a CronJob gets none of them. */
export const batchDefaults: Defaults = {
  'batch.v1.Job': (job) => {
    const { spec } = job;
    labelsFromTemplate(job);
    if (!isJsonObject(spec)) return;
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? RETRIES : NEVER;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
    spec.manualSelector ??= false;
  },
};
