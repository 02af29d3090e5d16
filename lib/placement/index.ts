/**
 * Which node a pod goes to, as kube-scheduler decides it. Pure: no input or output; only the selectors and quantities of
 * Kubernetes are imported.
 */

export { COMPACT_FORM, compact } from './compact.ts';
export type * from './objects.ts';
export { place } from './place.ts';
export type { FeasibleNode, FilterRuleName, Placement, RefusedNode, ScoreRuleName } from './placement.ts';
export { type PluginArguments, type Profile, parseProfile } from './profile.ts';
export { parseSchedulerConfiguration } from './scheduler-configuration.ts';
export { type ObjectName, World, type WorldKinds } from './world/index.ts';
