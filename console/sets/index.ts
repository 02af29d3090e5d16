/** What the specs of Subscriptions and Tallies say about their sets. */
export {
  conditionOf,
  exploreRoute,
  namespacesText,
  resourceId,
  type SetObject,
  type SetSpec,
  type SetStatus,
  selectorText,
  setSentence,
} from './set-object.ts';
