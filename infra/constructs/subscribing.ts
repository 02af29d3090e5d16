import { Aws } from 'aws-cdk-lib';
import {
  ENVIRONMENT,
  readAccountBound,
  readSubscribingLimits,
  SUBSCRIBING_LIMITS,
  type SubscribingLimits,
} from '../../lib/platform/index.ts';

/** What Subscriptions and Tallies may ask for. */
export interface SubscribingProps
  extends Partial<{ readonly [Name in keyof SubscribingLimits]: number | undefined }> {
  /**
   * Which accounts may receive: `own` (the stack's), `org:<the id of an organization>`, or account numbers with commas
   * between them, besides the stack's. `own`, unless said otherwise.
   */
  readonly consumers?: string | undefined;
  /** Whether that and the limits also hold for Subscriptions that were there before; false unless said otherwise. */
  readonly enforceLimits?: boolean | undefined;
}

/** @throws {Error} a setting that cannot be */
export function subscribingVariables(props: SubscribingProps): Record<string, string> {
  const { consumers, enforceLimits = false } = props;
  const names = Object.keys(SUBSCRIBING_LIMITS) as (keyof SubscribingLimits)[];
  const set = Object.fromEntries(
    names.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])),
  );
  const limits = JSON.stringify(set);
  readSubscribingLimits(limits);
  if (consumers !== undefined) readAccountBound(consumers);
  return {
    ...(consumers !== undefined && { [ENVIRONMENT.consumers]: consumers }),
    ...(enforceLimits && { [ENVIRONMENT.enforceLimits]: 'true' }),
    ...(Object.keys(set).length > 0 && { [ENVIRONMENT.subscribingLimits]: limits }),
  };
}

/** The condition, for a statement, that a queue is of an account that may receive. */
export function ofAllowedAccounts(consumers = 'own'): Record<string, string | string[]> {
  const bound = readAccountBound(consumers);
  if (bound.kind === 'organization') return { 'aws:ResourceOrgID': bound.id };
  const others = bound.kind === 'accounts' ? bound.accounts : [];
  return { 'aws:ResourceAccount': others.length === 0 ? Aws.ACCOUNT_ID : [Aws.ACCOUNT_ID, ...others] };
}
