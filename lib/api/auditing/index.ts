/** What is written down of requests, as an audit policy says it, over `lib/audit`. */
export { parsePolicy } from '../../audit/index.ts';
export { Auditor, type AuditorOptions } from './auditor.ts';
