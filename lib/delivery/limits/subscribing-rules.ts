import type { Collection } from '../../json/index.ts';
import { type AccountBound, SUBSCRIBING_LIMITS, type SubscribingLimits } from '../../platform/index.ts';

/** The rules of a deployment for Subscriptions and Tallies. */
export interface SubscribingRules {
  readonly limits: SubscribingLimits;
  /** The other accounts that may receive. */
  readonly bound: AccountBound;
  /** The number of the deployment's own account. */
  readonly account: string;
  /**
   * Whether the rules also hold for objects that are older than the rules. If they do, Winnow sends nothing for an
   * older object that breaks a rule.
   */
  readonly enforced: boolean;
}

/** The rules, and the current use of the limit that all namespaces share. */
export interface Subscribing {
  readonly rules: SubscribingRules;
  /** The bytes of the selectors by which dispatch sends the changes of a collection. */
  selectedBytes(collection: Collection): Promise<number>;
}

/** The rules of a deployment without settings of its own, in this account. */
export function defaultRules(account: string): SubscribingRules {
  return { limits: SUBSCRIBING_LIMITS, bound: { kind: 'own' }, account, enforced: false };
}

/** Whether an account may receive: either IAM alone decides, or the rules allow the account's number. */
export function mayReceive(
  { bound, account }: Pick<SubscribingRules, 'bound' | 'account'>,
  other: string,
): boolean {
  if (other === account || bound.kind === 'organization') return true;
  return bound.kind === 'accounts' && bound.accounts.includes(other);
}
