/** The audit log: the events that an audit policy asks for. The policy itself is `lib/audit`. */
export { Auditor, type AuditorOptions } from './auditor.ts';
