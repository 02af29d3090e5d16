/** Kubernetes' rules for objects of single types: what a write may not set, and what the server sets. */
export { qualityOf } from './pod-quality.ts';
export type { TypeRules } from './rules.ts';
export { needsAddress, needsHealthPort, needsNodePorts, numberOf, portsOf } from './service-needs.ts';
export { rulesOf } from './type-rules.ts';
