import { mayReceive, type SubscribingRules } from '../limits/index.ts';
import { accessOf, accountOfArn, type Receivers } from '../subscription/index.ts';

/** The consumers of a Subscription that may receive by the deployment's rules. */
export function allowedReceivers(consumers: readonly string[], rules: SubscribingRules): Receivers {
  const arns = consumers.filter((arn) => mayReceive(rules, accountOfArn(arn)));
  return rules.bound.kind === 'organization' ? { arns, organization: rules.bound.id } : { arns };
}

/**
 * Whether a queue still has the policy from before the deployment had rules. This policy stays until `enforceLimits`.
 */
export function keepsEarlier(consumers: readonly string[], rules: SubscribingRules, access: string): boolean {
  return !rules.enforced && access === accessOf({ arns: consumers });
}

/** The receivers for the policy of a queue whose statement is named `access`. */
export function receiversOf(
  consumers: readonly string[],
  rules: SubscribingRules,
  access: string,
): Receivers {
  return keepsEarlier(consumers, rules, access) ? { arns: consumers } : allowedReceivers(consumers, rules);
}
