import type { JsonObject } from '../../../lib/json/index.ts';

export const CORE = '/api/v1/namespaces/default';
export const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
export const MERGE = 'application/merge-patch+json';
export const ZONE = 'topology.kubernetes.io/zone';

/** The items of a list response. */
export function itemsOf(list: JsonObject): JsonObject[] {
  return list.items as JsonObject[];
}
