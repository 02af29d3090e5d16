import type { JsonObject } from '../../../../lib/json/index.ts';

/** A valid container. */
export const CONTAINER = { name: 'c', image: 'nginx' };

/** The content of a Pod without type and metadata. */
export function pod(spec: JsonObject): JsonObject {
  return { spec: { containers: [CONTAINER], ...spec } };
}

/** The content of a Job without type and metadata. */
export function job(spec: JsonObject, restartPolicy = 'Never'): JsonObject {
  return { spec: { template: { spec: { containers: [CONTAINER], restartPolicy } }, ...spec } };
}
