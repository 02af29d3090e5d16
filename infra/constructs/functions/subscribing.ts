import { Aws } from 'aws-cdk-lib';
import {
  ENVIRONMENT,
  readAccountBound,
  readSubscribingLimits,
  SUBSCRIBING_LIMITS,
  type SubscribingLimits,
} from '../../../lib/platform/index.ts';

/** The rules for Subscriptions and Tallies. */
export interface SubscribingProps
  extends Partial<{ readonly [Name in keyof SubscribingLimits]: number | undefined }> {
  /**
   * The accounts that may receive messages: `own` (the stack's account, the default), `org:<the id of an
   * organization>`, or account ids separated by commas, in addition to the stack's account.
   */
  readonly consumers?: string | undefined;
  /** Whether these rules also apply to Subscriptions from before an upgrade; default: false. */
  readonly enforceLimits?: boolean | undefined;
}

/**
 * The environment variables for these rules.
 *
 * @throws {Error} a setting is invalid
 */
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

/** The IAM condition that a queue belongs to an account that may receive messages. */
export function ofAllowedAccounts(consumers = 'own'): Record<string, string | string[]> {
  const bound = readAccountBound(consumers);
  if (bound.kind === 'organization') return { 'aws:ResourceOrgID': bound.id };
  const others = bound.kind === 'accounts' ? bound.accounts : [];
  return { 'aws:ResourceAccount': others.length === 0 ? Aws.ACCOUNT_ID : [Aws.ACCOUNT_ID, ...others] };
}
