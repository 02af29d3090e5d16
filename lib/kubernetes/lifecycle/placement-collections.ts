import type { Collection } from '../../json/index.ts';

/**
 * Collections whose changes may allow a pending pod to be placed. Other collections only affect the comparison of
 * nodes.
 */
export const PLACEMENT_COLLECTIONS: readonly Collection[] = ['core/nodes', 'core/pods', 'core/namespaces'];
