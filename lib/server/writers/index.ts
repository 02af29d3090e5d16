/** Writers of objects for other rooms: bootstrap objects, bindings, statuses and quotas. */
export { editedPod } from './edited-pod.ts';
export { ensureBootstrapRoles } from './ensure-bootstrap-roles.ts';
export { ensurePriorityClasses } from './ensure-priority-classes.ts';
export { ensureServiceAccounts } from './ensure-service-accounts.ts';
export { ensureSystemNamespaces } from './ensure-system-namespaces.ts';
export { objectWriter } from './object-writer.ts';
export { quotaReckoner } from './quota-reckoner.ts';
export { statusWriter } from './status-writer.ts';
