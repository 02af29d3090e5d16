/** Changes of the past, newest first: of one object, of a collection, and the resourceVersion of a time. */
export { changesBack } from './changes-back.ts';
export { historyOf } from './history-of.ts';
export { versionAt } from './version-at.ts';
