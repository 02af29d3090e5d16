import type { Collection } from '../store/index.ts';

/** Whose changes give reconcile to do. */
export const NAMESPACES: Collection = 'core/namespaces';
export const SUBSCRIPTIONS: Collection = 'winnow.dev/subscriptions';
