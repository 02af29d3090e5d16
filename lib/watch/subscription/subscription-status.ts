import type { Clock } from '../../platform/index.ts';
import { type JsonObject, jsonEquals, type ObjectName, objectAt, type Store } from '../../store/index.ts';
import { SUBSCRIPTIONS } from '../own-collections.ts';
import { followingOf } from './following.ts';
import { accessOf } from './queue-access.ts';
import { scopedOf, scopeIn } from './scoped-of.ts';
import { sinceWhen } from './since-when.ts';
import type { SubscriptionState } from './subscription-state.ts';

export interface StatusOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** What the ARNs of the queues begin with that are made here: all before their names. */
  readonly queueArns: string;
}

export type Phase = 'Pending' | 'CatchingUp' | 'Synced' | 'Failing' | 'Suspended';

const CONSUMERS = 'ConsumersPermitted';
const MESSAGES: Partial<Record<Phase, string>> = {
  Synced: 'changes are sent as they happen',
  Suspended: 'nothing is sent: spec.suspend is true',
};

/**
 * Writes a Subscription's status when its phase or queue changed; progress alone never feeds the journal. Answers the
 * phase that it came to, where that is another than before.
 */
export async function writeSubscriptionStatus(
  { store, clock, queueArns }: StatusOptions,
  name: ObjectName,
  state: SubscriptionState,
): Promise<Phase | undefined> {
  const { kind, before } = await store.write(SUBSCRIPTIONS, name, (current) => {
    if (current === undefined || current.uid !== state.uid) return { kind: 'none' };
    const old = objectAt(current.body.status);
    const status = statusOf(state, old, { now: clock.now(), queueArns });
    return jsonEquals(old, status) ? { kind: 'none' } : { kind: 'put', body: { ...current.body, status } };
  });
  const phase = phaseOf(state);
  return kind === 'none' || objectAt(before?.body.status).phase === phase ? undefined : phase;
}

/** The ARN of a subscription's queue; empty until the queue is there. */
export function arnOfQueue({ queueName, queueUrl, queueArn }: SubscriptionState, queueArns: string): string {
  if (queueUrl === '') return '';
  return queueArn || `${queueArns}${queueName}`;
}

interface Given {
  readonly now: number;
  readonly queueArns: string;
}

function statusOf(state: SubscriptionState, old: JsonObject, { now, queueArns }: Given): JsonObject {
  const phase = phaseOf(state);
  const { generation, edit, queueUrl, suspended } = state;
  const ready = {
    type: 'Ready',
    status: phase === 'Synced' ? 'True' : 'False',
    reason: phase,
    message: MESSAGES[phase] ?? (state.failure || 'catching up with the journal'),
  };
  const conditions = [ready, ...permissionOf(state), ...followingOf(state), ...scopedOf(state)].map(
    (condition) => sinceWhen(condition, old, now),
  );
  const queueArn = arnOfQueue(state, queueArns);
  const scope = scopeIn(state);
  return {
    observedGeneration: suspended || generation,
    edit,
    queueUrl,
    queueArn,
    phase,
    ...(old.author !== undefined && { author: old.author }),
    ...(scope !== undefined && { scope }),
    conditions,
  };
}

/** Nothing, where no consumer is named and none is refused. */
function permissionOf({ access, accessFailure }: SubscriptionState): JsonObject[] {
  if (accessFailure !== '') {
    const message = `the queue's policy cannot be changed: ${accessFailure}`;
    return [{ type: CONSUMERS, status: 'False', reason: 'PolicyRefused', message }];
  }
  if (access === '' || access === accessOf([])) return [];
  const message = "the queue's policy lets those receive whom spec.consumers names";
  return [{ type: CONSUMERS, status: 'True', reason: 'InPolicy', message }];
}

function phaseOf(state: SubscriptionState): Phase {
  if (state.membership === 'synced') return 'Synced';
  if (state.suspended > 0) return 'Suspended';
  if (state.queueUrl === '') return 'Pending';
  return state.failures > 0 ? 'Failing' : 'CatchingUp';
}
