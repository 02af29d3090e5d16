import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** batch/v1 */
export const batch = defineResourceTypes('batch', 'v1', [
  {
    kind: 'CronJob',
    resource: 'cronjobs',
    description: 'CronJob describes a job that runs on a schedule.',
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
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
    properties: SPEC_AND_STATUS,
  },
]);
