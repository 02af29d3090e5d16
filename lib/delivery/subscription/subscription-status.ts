import { type JsonObject, jsonEquals, type ObjectName, objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import type { SubscribingRules } from '../limits/index.ts';
import { accountOfArn } from './account-of-arn.ts';
import { whyHeld } from './author-conditions.ts';
import { followingOf } from './following.ts';
import { accessOf } from './queue-access.ts';
import { scopedOf, scopeIn } from './scoped-of.ts';
import { sinceWhen } from './since-when.ts';
import { isHeld, parseStanding } from './standing.ts';
import type { SubscriptionState } from './subscription-state.ts';
import { whySuspended, withinLimitsOf } from './within-limits.ts';

export interface StatusOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The prefix of the ARNs of queues that Winnow creates, up to the name. */
  readonly queueArns: string;
  /** The deployment's rules for Subscriptions; absent: none. */
  readonly rules?: SubscribingRules;
}

export type Phase = 'Pending' | 'CatchingUp' | 'Synced' | 'Failing' | 'Suspended';

const CONSUMERS = 'ConsumersPermitted';
const QUEUE = 'QueuePermitted';
const MESSAGES: Partial<Record<Phase, string>> = {
  Synced: 'changes are sent as they happen',
};

/**
 * Writes a Subscription's status if it differs, for example in phase or queue. Progress alone never adds to the
 * journal. Returns the new phase if it has changed.
 */
export async function writeSubscriptionStatus(
  { store, clock, queueArns, rules }: StatusOptions,
  name: ObjectName,
  state: SubscriptionState,
): Promise<Phase | undefined> {
  const { kind, before } = await store.write(SUBSCRIPTIONS, name, (current) => {
    if (current === undefined || current.uid !== state.uid) return { kind: 'none' };
    const old = objectAt(current.body.status);
    const status = statusOf(state, old, { now: clock.now(), queueArns, rules });
    return jsonEquals(old, status) ? { kind: 'none' } : { kind: 'put', body: { ...current.body, status } };
  });
  const phase = phaseOf(state);
  return kind === 'none' || objectAt(before?.body.status).phase === phase ? undefined : phase;
}

/** The ARN of a subscription's queue; empty until the queue exists. */
export function arnOfQueue({ queueName, queueUrl, queueArn }: SubscriptionState, queueArns: string): string {
  if (queueUrl === '') return '';
  return queueArn || `${queueArns}${queueName}`;
}

interface Given {
  readonly now: number;
  readonly queueArns: string;
  readonly rules: SubscribingRules | undefined;
}

function statusOf(state: SubscriptionState, old: JsonObject, { now, queueArns, rules }: Given): JsonObject {
  const phase = phaseOf(state);
  const { generation, edit, queueUrl, suspended } = state;
  const ready = {
    type: 'Ready',
    status: phase === 'Synced' ? 'True' : 'False',
    reason: phase,
    message: messageOf(state, phase),
  };
  const more = [
    ...permissionOf(state),
    ...followingOf(state),
    ...scopedOf(state),
    ...withinLimitsOf(state, 'delivery'),
    ...deniedOf(state, rules),
  ];
  const conditions = [ready, ...more].map((condition) => sinceWhen(condition, old, now));
  const queueArn = arnOfQueue(state, queueArns);
  const scope = scopeIn(state);
  return {
    observedGeneration: suspended || generation,
    edit,
    queueUrl,
    queueArn,
    phase,
    ...(old.author !== undefined && { author: old.author }),
    ...(old.writer !== undefined && { writer: old.writer }),
    ...(scope !== undefined && { scope }),
    conditions,
  };
}

function messageOf(state: SubscriptionState, phase: Phase): string {
  const standing = parseStanding(state.standing);
  if (phase === 'Suspended') {
    if (state.suspended > 0 || standing?.reason !== 'AuthorNotSeen') return whySuspended(state, 'delivery');
    return `delivery is suspended: ${whyHeld(state, standing)}`;
  }
  return MESSAGES[phase] ?? (state.failure || 'catching up with the journal');
}

/** The condition about the consumers in the queue's policy; none if no consumer is named and no change failed. */
function permissionOf({ access, accessFailure }: SubscriptionState): JsonObject[] {
  if (accessFailure !== '') {
    const message = `the queue's policy cannot be changed: ${accessFailure}`;
    return [{ type: CONSUMERS, status: 'False', reason: 'PolicyRefused', message }];
  }
  if (access === '' || access === accessOf({ arns: [] })) return [];
  const message = "the queue's policy allows spec.consumers to receive";
  return [{ type: CONSUMERS, status: 'True', reason: 'InPolicy', message }];
}

/**
 * The condition for a denied queue of another account, if the deployment allows an organization; otherwise none. SQS
 * does not say whether the account is outside the organization. So the message contains everything that IAM requires.
 */
function deniedOf(
  { queueArn, failure }: SubscriptionState,
  rules: SubscribingRules | undefined,
): JsonObject[] {
  const account = accountOfArn(queueArn);
  if (rules?.bound.kind !== 'organization' || account === '' || account === rules.account) return [];
  if (!DENIED.test(failure) || /no resource-based policy/i.test(failure)) return [];
  const message = `the queue has to be of an account in the organization ${rules.bound.id}: ${failure}`;
  return [{ type: QUEUE, status: 'False', reason: 'DeniedByOrganization', message }];
}

const DENIED = /not authorized|access ?denied|access to the resource/i;

function phaseOf(state: SubscriptionState): Phase {
  if (state.membership === 'synced') return 'Synced';
  if (state.suspended > 0 || isHeld(state.standing)) return 'Suspended';
  if (state.queueUrl === '') return 'Pending';
  return state.failures > 0 ? 'Failing' : 'CatchingUp';
}
