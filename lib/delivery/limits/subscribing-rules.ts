import type { Collection } from '../../json/index.ts';
import { type AccountBound, SUBSCRIBING_LIMITS, type SubscribingLimits } from '../../platform/index.ts';

/** What a deployment lets Subscriptions and Tallies ask for. */
export interface SubscribingRules {
  readonly limits: SubscribingLimits;
  /** Which other accounts may receive. */
  readonly bound: AccountBound;
  /** The number of the deployment's own account. */
  readonly account: string;
  /** Whether the rules also hold for what was there before them: that is sent nothing. */
  readonly enforced: boolean;
}

/** The rules, and how much of what they limit for all namespaces together is taken. */
export interface Subscribing {
  readonly rules: SubscribingRules;
  /** Bytes of the selectors by which dispatch sends the changes of a collection. */
  selectedBytes(collection: Collection): Promise<number>;
}

/** The rules of a deployment that sets none, of an account. */
export function defaultRules(account: string): SubscribingRules {
  return { limits: SUBSCRIBING_LIMITS, bound: { kind: 'own' }, account, enforced: false };
}

/** Whether IAM alone can decide, or the account is allowed by its number. */
export function mayReceive(
  { bound, account }: Pick<SubscribingRules, 'bound' | 'account'>,
  other: string,
): boolean {
  if (other === account || bound.kind === 'organization') return true;
  return bound.kind === 'accounts' && bound.accounts.includes(other);
}
