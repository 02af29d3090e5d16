/** Which node a pod may go to: answered from the cluster that is stored, and kept between requests. */
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
