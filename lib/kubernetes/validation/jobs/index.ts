/** The validation rules of Jobs, CronJobs and the status of Jobs. */
export { cronJob, jobUpdate, newCronJob, newJob } from './jobs.ts';
export { jobStatus } from './status.ts';
