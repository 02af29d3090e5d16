import type { JsonObject } from '../../json/index.ts';
import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import { ruleErrors } from '../limits/index.ts';
import { accessOf, type SubscriptionState } from '../subscription/index.ts';
import { allowedReceivers, keepsEarlier } from './receivers-of.ts';
import { type DeliverableOptions, whyNotDeliverable } from './why-not-deliverable.ts';

export interface ViolationGiven {
  readonly body: JsonObject;
  /** A Subscription's consumers and queue; absent for a Tally, which has no queue. */
  readonly sending?: SendingGiven;
}

export interface SendingGiven {
  readonly spec: Pick<SubscriptionSpec, 'consumers'>;
  readonly state: Pick<SubscriptionState, 'queueArn' | 'queueUrl' | 'access'>;
}

/**
 * Returns what in an existing Subscription or Tally breaks the deployment's rules, as text: selectors, accounts, and
 * the tag of a proved queue. The text begins with `Stopped` or `Tolerated`: whether the violation stops delivery or
 * counting. '': it breaks no rule.
 */
export async function violationOf(
  options: DeliverableOptions,
  { body, sending }: ViolationGiven,
): Promise<string> {
  const { rules } = options;
  const ofBody = ruleErrors(body, undefined, rules).map(({ field, detail }) => `${field}: ${detail}`);
  const ofQueue = sending === undefined ? [] : await queueFaults(options, sending);
  const all = [...ofBody, ...ofQueue].join('; ');
  return all && `${rules.enforced ? 'Stopped' : 'Tolerated'} ${all}`;
}

async function queueFaults(
  options: DeliverableOptions,
  { spec: { consumers }, state }: SendingGiven,
): Promise<string[]> {
  const { rules } = options;
  const isProved = state.queueArn !== '' && state.queueUrl !== '';
  const queue = isProved ? { arn: state.queueArn, url: state.queueUrl } : undefined;
  const fault = queue && (await whyNotDeliverable(options, queue));
  const isOpen =
    keepsEarlier(consumers, rules, state.access) &&
    accessOf(allowedReceivers(consumers, rules)) !== state.access &&
    rules.bound.kind === 'organization';
  const open = "the queue's policy does not limit its consumers to the organization";
  return [...(fault === undefined ? [] : [fault]), ...(isOpen ? [open] : [])];
}
