import type { Collection } from '../../json/index.ts';

/** Whose changes may give a pod that waits a node; what else placing asks of only compares nodes. */
export const PLACEMENT_COLLECTIONS: readonly Collection[] = ['core/nodes', 'core/pods', 'core/namespaces'];
