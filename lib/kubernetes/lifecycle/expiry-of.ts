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
 * Returns the time at which an object expires, in ms since the epoch. Undefined means never.
 *
 * - a finished Job: `ttlSecondsAfterFinished` after its condition Complete or Failed became true
 * - a deleted Pod: at the end of its grace period
 * - an Event of Winnow: an hour after its last report
 * - a deleted object with protection: at the time of its deletion; it is removed when it is no longer used
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
