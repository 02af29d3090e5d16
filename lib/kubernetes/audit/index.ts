/**
 * Audit logging as defined by Kubernetes' audit policies (audit.k8s.io/v1): the level of a request, and the event for
 * each of its stages. Pure: the caller stores the events.
 */
export {
  type AuditEvent,
  type AuditedRequest,
  auditEvent,
  type EventOptions,
  type Stage,
} from './audit-event.ts';
export { type HoldsSecretOptions, holdsSecret } from './holds-secret.ts';
export { type Attributes, judge, type Verdict } from './judge.ts';
export { type Level, type Policy, parsePolicy, type Rule } from './parse-policy.ts';
