import { timestamp } from '../../coordination/index.ts';
import { type JsonObject, objectAt } from '../../json/index.ts';

/** Adds the time of its last transition to a condition, based on the conditions of the previous status. */
export function sinceWhen(condition: JsonObject, { conditions }: JsonObject, now: number): JsonObject {
  const before = (Array.isArray(conditions) ? conditions : [])
    .map(objectAt)
    .find(({ type }) => type === condition.type);
  const { status, lastTransitionTime = null } = before ?? {};
  return {
    ...condition,
    lastTransitionTime: status === condition.status ? lastTransitionTime : timestamp(now),
  };
}
