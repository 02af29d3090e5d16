import type { LiveObject, Stored } from '../../lib/client/objects/index.ts';
import type { SetObject } from '../sets/index.ts';

export interface SubscriptionBody
  extends SetObject<
    {
      readonly queue?: { readonly type?: string; readonly arn?: string };
      readonly payload?: string;
      readonly ordering?: string;
      readonly start?: string;
      readonly serviceAccountName?: string;
    },
    {
      readonly queueUrl?: string;
      readonly queueArn?: string;
      readonly author?: { readonly username?: string };
      /** The fields below are only in the answer to a GET of one Subscription. */
      readonly position?: string;
      readonly lag?: { readonly changes: number; readonly seconds: number };
      readonly messages?: { readonly waiting: number; readonly inFlight: number; readonly asOf: string };
    }
  > {}

/** A Subscription of a list, or of a GET. */
export type Subscription = LiveObject<SubscriptionBody>;
export type WholeSubscription = Stored<SubscriptionBody>;
