/** Which node a pod may go to: answered from the cluster that is stored, and kept between requests. */
export {
  type WorldListener,
  WorldCache,
  type StoredObject,
  type WorldSnapshot,
  type CachedWorld,
  type WorldChange,
  type WorldSource,
} from './kept-world.ts';
export { createPlacingVerbs } from './placing-verbs.ts';
