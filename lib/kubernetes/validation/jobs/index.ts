/** Jobs, what makes them on time, and what is said of them. */
export { cronJob, jobUpdate, newCronJob, newJob } from './jobs.ts';
export { jobStatus } from './status.ts';
