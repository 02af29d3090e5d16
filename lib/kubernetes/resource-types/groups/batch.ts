import { defineResourceTypes } from '../define-resource-types.ts';

/** batch/v1 */
export const batch = defineResourceTypes('batch', 'v1', [
  {
    kind: 'CronJob',
    resource: 'cronjobs',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
  },
  {
    kind: 'Job',
    resource: 'jobs',
    countsGeneration: true,
    carriesSelectors: 'always',
    categories: ['all'],
    status: true,
    fields: ['status.successful'],
    selectors: [{ path: ['spec', 'selector'], kind: 'labelSelector' }],
  },
]);
