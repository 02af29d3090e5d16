import { timestamp } from '../../coordination/index.ts';
import { type JsonObject, objectAt } from '../../json/index.ts';

/** The condition with the time from when on it has been so, by the conditions of the status before. */
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
