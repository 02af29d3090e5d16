/** The audit of requests, by the audit policy of the deployment. */
export { createAuditing } from './create-auditing.ts';
