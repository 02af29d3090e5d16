/** PlacementReviews: which nodes a pod may run on, by the stored cluster state, which is cached between requests. */
export { createPlacingVerbs } from './placing-verbs.ts';
export {
  type CachedWorld,
  type StoredObject,
  WorldCache,
  type WorldChange,
  type WorldListener,
  type WorldSnapshot,
  type WorldSource,
} from './world-cache.ts';
