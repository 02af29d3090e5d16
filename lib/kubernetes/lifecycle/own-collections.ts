import type { Collection } from '../../json/index.ts';

/** Collections whose changes cause work for reconcile. */
export const NAMESPACES: Collection = 'core/namespaces';
export const SUBSCRIPTIONS: Collection = 'winnow.dev/subscriptions';
/** Tallies, which define what to count and hold the counts. */
export const TALLIES: Collection = 'winnow.dev/tallies';
export const DEFINITIONS: Collection = 'apiextensions.k8s.io/customresourcedefinitions';
/** Events, which Winnow writes about Subscriptions, Tallies and Pods. */
export const EVENTS: Collection = 'core/events';
/** ServiceAccounts: the identities of pods, and of authors. */
export const SERVICE_ACCOUNTS: Collection = 'core/serviceaccounts';
export const OWN_COLLECTIONS: ReadonlySet<Collection> = new Set([
  NAMESPACES,
  SUBSCRIPTIONS,
  TALLIES,
  DEFINITIONS,
]);

/** The finalizer that keeps a deleted definition until the objects of its kind are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
