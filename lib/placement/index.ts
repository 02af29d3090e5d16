/**
 * Chooses a node for a pod as kube-scheduler does. Pure: no input or output, and no imports besides Kubernetes'
 * selectors and
 * quantities.
 */

export { COMPACT_FORM, compact } from './compact.ts';
export type * from './objects.ts';
export { place } from './place.ts';
export type { FeasibleNode, FilterRuleName, Placement, RefusedNode, ScoreRuleName } from './placement.ts';
export {
  type PluginArguments,
  type Profile,
  parseProfile,
  parseSchedulerConfiguration,
} from './profile/index.ts';
export { type ObjectName, World, type WorldKinds } from './world/index.ts';
