/**
 * What is written down of a request, as Kubernetes' audit policies say it (audit.k8s.io/v1): which level a request
 * has, and the event of each of its stages. Pure: the caller stores the events.
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
