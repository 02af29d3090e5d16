/** Who selects whom, in the table itself: rows by which the selectors of objects are found. */
export { type Anchoring, anchoringOf } from './anchoring-of.ts';
export type { CarriedSelector } from './carried-selector.ts';
export { expectedAnchorRows } from './expected-anchor-rows.ts';
export {
  type SelectorMatches,
  type FindOptions,
  type FoundSelector,
  findCarriers,
  type PresentCarrier,
  type SelectorQuery,
} from './find-carriers.ts';
export { type IndexedSelector, type AnchorPlan, planAnchors } from './plan-anchors.ts';
