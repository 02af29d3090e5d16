/** The cluster state that placement reads, indexed for the rules. */
export {
  type AffinityTerm,
  type AffinityTerms,
  matchesTerm,
  readTerms,
  type Target,
  type WeightedTerm,
} from './affinity-term.ts';
export { type Amount, minus, plus } from './amount.ts';
export { conflicts, hostPortsOf } from './host-ports.ts';
export type { NodeState } from './node-state.ts';
export type { PodGroup } from './pod-groups.ts';
export { podRequests } from './pod-requests.ts';
export { labelsOf, nonZeroOf, type PodState } from './pod-state.ts';
export { type Resources, resourcesOf } from './resources.ts';
export { EMPTY_VALUE, type Topology } from './topology.ts';
export { type ObjectName, World, type WorldKinds } from './world.ts';
