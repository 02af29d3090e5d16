/** WATCH: the changes of a collection, read from its journal, with the semantics of etcd's watch. */
export { answerWatchRequest, createWatchCap, type HeldWatch, type WatchCap } from './open-watches/index.ts';
export { eventOf, type Filter, type ObjectEvent, transition } from './transition.ts';
export { createWatches, type WatchEvent, type Watches, type WatchRequest } from './watches.ts';
