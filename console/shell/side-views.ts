/** The views beside Explore. They are one script: they share parts, and texts that are alike compress each other. */
export { PlacementView } from '../placement/index.ts';
export { ReachabilityView } from '../reachability/index.ts';
export { SeeAsDialog } from '../see-as/index.ts';
export { SubscriptionsView } from '../subscriptions/index.ts';
export { TalliesView } from '../tallies/index.ts';
