/** A local run of the stack on embedded emulators. */
export { readAuditPolicy } from '../read-audit-policy.ts';
export { readAuthenticationConfig } from '../read-authentication-config.ts';
export { readSchedulerProfile } from '../read-scheduler-profile.ts';
export { readWebhooks } from '../read-webhooks.ts';
export { type LocalWinnow, startLocal } from './start-local.ts';
export { readClientAuthority, readTokenFile, TokenUsers } from './trust/index.ts';
