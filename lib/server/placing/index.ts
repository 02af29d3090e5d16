/** Which node a pod may go to: answered from the cluster that is stored, and kept between requests. */
export {
  type CachedWorld,
  type StoredObject,
  WorldCache,
  type WorldChange,
  type WorldListener,
  type WorldSnapshot,
  type WorldSource,
} from './kept-world.ts';
export { createPlacingVerbs } from './placing-verbs.ts';
