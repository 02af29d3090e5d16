/** What Kubernetes does with objects of one type alone: what a write may not set, and what it sets itself. */
export { qualityOf } from './pod-quality.ts';
export { needsAddress, needsHealthPort, needsNodePorts, numberOf, portsOf } from './service-needs.ts';
export { rulesOf, type TypeRules } from './type-rules.ts';
