import {
  type Collection,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metadataOf,
  objectAt,
} from '../../json/index.ts';
import { expiryOfEvent } from './expiry-of-event.ts';
import { EVENTS } from './own-collections.ts';
import { isProtected } from './protected-collections.ts';

const JOBS: Collection = 'batch/jobs';
const PODS: Collection = 'core/pods';

/**
 * When an object's time is over, in ms since the epoch. Undefined: never.
 *
 *   a finished Job   `ttlSecondsAfterFinished` after its condition Complete or Failed became true
 *   a deleted Pod    when the grace is over that it was given to stop
 *   an Event of a subscription  an hour after it was told last
 *   what is deleted and protected, since then: it goes when it is not used
 */
export function expiryOf(collection: Collection, body: JsonObject): number | undefined {
  switch (collection) {
    case JOBS:
      return endOfJob(body);
    case PODS:
      return endOfGrace(body);
    case EVENTS:
      return expiryOfEvent(body);
    default:
      return isProtected(collection, body) ? timeOf(metadataOf(body).deletionTimestamp) : undefined;
  }
}

function endOfGrace(body: JsonObject): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadataOf(body);
  return typeof grace === 'number' && grace > 0 ? timeOf(deletionTimestamp) : undefined;
}

function endOfJob(body: JsonObject): number | undefined {
  const { ttlSecondsAfterFinished: ttl } = objectAt(body.spec);
  const { conditions } = objectAt(body.status);
  if (typeof ttl !== 'number' || !Array.isArray(conditions)) return undefined;
  const finished = conditions
    .filter(isJsonObject)
    .find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
  const time = timeOf(finished?.lastTransitionTime);
  return time === undefined ? undefined : time + ttl * 1000;
}

function timeOf(text: JsonValue | undefined): number | undefined {
  const time = Date.parse(String(text));
  return Number.isNaN(time) ? undefined : time;
}
