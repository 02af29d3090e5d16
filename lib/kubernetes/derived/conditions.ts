import type { Condition } from './objects.ts';

/** A new condition, without its times. */
export type Stated = Pick<Condition, 'type' | 'status'> & {
  readonly reason: string;
  readonly message: string;
};

/** Formats a time as Kubernetes does: UTC, in seconds. `time` is in ms since the epoch. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Returns a condition with both times set to now. */
export function conditionAt({ type, status, reason, message }: Stated, now: number): Condition {
  const time = timeText(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/**
 * Sets a condition of a Deployment. If status and reason are unchanged, the conditions stay as they are. If only the
 * reason changes, the time of the last transition is kept.
 */
export function withCondition(conditions: readonly Condition[], condition: Condition): readonly Condition[] {
  const former = conditionOf(conditions, condition.type);
  if (former?.status === condition.status && former.reason === condition.reason) return conditions;
  const { lastTransitionTime } = former?.status === condition.status ? former : condition;
  const stated = { ...condition, ...(lastTransitionTime ? { lastTransitionTime } : {}) };
  return [...withoutCondition(conditions, condition.type), stated];
}

export function withoutCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

export function conditionOf(
  conditions: readonly Condition[] | null | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}
