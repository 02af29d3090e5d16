/** The audit log: the events that an audit policy asks for. The policy itself is `lib/kubernetes/audit`. */
export { Auditor, type AuditorOptions } from './auditor.ts';
