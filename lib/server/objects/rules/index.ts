/** What Kubernetes does with objects of one type alone: what a write may not set, and what it sets itself. */
export { qualityOf } from './pod-quality.ts';
export type { TypeRules } from './rules.ts';
export { needsAddress, needsHealthPort, needsNodePorts, numberOf, portsOf } from './service-needs.ts';
export { rulesOf } from './type-rules.ts';
