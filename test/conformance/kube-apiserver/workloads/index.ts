/** Pods and objects with pod templates, Jobs, Secrets and volumes, each with its own mistake or oddity. */

import { cronJobs, jobs } from './jobs.ts';
import { pods } from './pods.ts';
import { secrets } from './secrets.ts';
import { persistentVolumes, podsWithVolumes } from './volumes.ts';

export { statusesOfJobs } from './jobs.ts';

const CORE = '/api/v1/namespaces/swept';
const BATCH = '/apis/batch/v1/namespaces/swept';

/** The objects to create of each kind, each with its own name. */
export const workloadKinds = [
  { path: `${CORE}/pods`, apiVersion: 'v1', kind: 'Pod', contents: [...podsWithVolumes, ...pods] },
  { path: `${BATCH}/jobs`, apiVersion: 'batch/v1', kind: 'Job', contents: jobs },
  { path: `${BATCH}/cronjobs`, apiVersion: 'batch/v1', kind: 'CronJob', contents: cronJobs },
  { path: `${CORE}/secrets`, apiVersion: 'v1', kind: 'Secret', contents: secrets },
  {
    path: '/api/v1/persistentvolumes',
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    contents: persistentVolumes,
  },
] as const;
