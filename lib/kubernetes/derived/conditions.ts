import type { Condition } from './objects.ts';

/** A condition that holds from now on. */
export type Stated = Pick<Condition, 'type' | 'status'> & {
  readonly reason: string;
  readonly message: string;
};

/** As Kubernetes writes it: seconds, UTC. `time` in ms since the epoch. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** A condition that has just been stated. */
export function conditionAt({ type, status, reason, message }: Stated, now: number): Condition {
  const time = timeText(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/**
 * The conditions of a Deployment with one that holds: one that says the same status for the same reason stays as it is,
 * and of one that says the same status for another reason the time at which that became so.
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
