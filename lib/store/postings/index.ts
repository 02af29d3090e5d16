/** The reverse index: postings, by which the selectors of carriers are found. */

export type { IndexedSelector } from '../indexed-selector.ts';
export { type Anchoring, anchoringOf } from './anchoring-of.ts';
export type { CarriedSelector } from './carried-selector.ts';
export { expectedAnchorRows } from './expected-anchor-rows.ts';
export {
  type FindOptions,
  type FoundSelector,
  findCarriers,
  type PresentCarrier,
  type SelectorMatches,
  type SelectorQuery,
} from './find-carriers.ts';
export { type AnchorPlan, planAnchors } from './plan-postings.ts';
