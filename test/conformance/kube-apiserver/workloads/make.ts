import type { JsonObject } from '../../../../lib/json/index.ts';

/** A container as nothing is wrong with it. */
export const CONTAINER = { name: 'c', image: 'nginx' };

/** What a Pod says beside type and metadata. */
export function pod(spec: JsonObject): JsonObject {
  return { spec: { containers: [CONTAINER], ...spec } };
}

/** What a Job does. */
export function job(spec: JsonObject, restartPolicy = 'Never'): JsonObject {
  return { spec: { template: { spec: { containers: [CONTAINER], restartPolicy } }, ...spec } };
}
