import { type Collection, isJsonObject, type JsonObject, objectAt } from '../../store/index.ts';

const JOBS: Collection = 'batch/jobs';

/**
 * When an object's time is over, in ms since the epoch: a finished Job's, `ttlSecondsAfterFinished` after its condition
 * Complete or Failed became true. Undefined: never.
 */
export function expiryOf(collection: Collection, body: JsonObject): number | undefined {
  const { ttlSecondsAfterFinished: ttl } = objectAt(body.spec);
  const { conditions } = objectAt(body.status);
  if (collection !== JOBS || typeof ttl !== 'number' || !Array.isArray(conditions)) return undefined;
  const finished = conditions
    .filter(isJsonObject)
    .find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
  const time = Date.parse(String(finished?.lastTransitionTime));
  return Number.isNaN(time) ? undefined : time + ttl * 1000;
}
