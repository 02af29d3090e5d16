/** The view of reachability: which groups of pods may send to which, by the stored NetworkPolicies. */
export { ReachabilityView } from './reachability-view.tsx';
