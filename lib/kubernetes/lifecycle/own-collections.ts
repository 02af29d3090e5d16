import type { Collection } from '../../json/index.ts';

/** Whose changes give reconcile to do. */
export const NAMESPACES: Collection = 'core/namespaces';
export const SUBSCRIPTIONS: Collection = 'winnow.dev/subscriptions';
/** What there is to count, and how much there was. */
export const TALLIES: Collection = 'winnow.dev/tallies';
export const DEFINITIONS: Collection = 'apiextensions.k8s.io/customresourcedefinitions';
/** Events, which Winnow writes about Subscriptions, Tallies and Pods. */
export const EVENTS: Collection = 'core/events';
export const OWN_COLLECTIONS: ReadonlySet<Collection> = new Set([
  NAMESPACES,
  SUBSCRIPTIONS,
  TALLIES,
  DEFINITIONS,
]);

/** Holds a definition that is deleted until the objects of its kind are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
