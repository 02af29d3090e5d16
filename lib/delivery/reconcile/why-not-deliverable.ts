import type { Queues } from '../../coordination/index.ts';
import { DELIVER_TAG } from '../../platform/index.ts';
import { mayReceive, type SubscribingRules } from '../limits/index.ts';
import { accountOfArn } from '../subscription/index.ts';

export interface DeliverableOptions {
  readonly queues: Pick<Queues, 'attributes' | 'tags'>;
  readonly rules: SubscribingRules;
  /** The required value of the tag on user-owned queues. */
  readonly clusterId: string;
}

export interface UsersQueue {
  readonly arn: string;
  readonly url: string;
}

/**
 * Returns why Winnow may not send to a user-owned queue, as text. Returns undefined if it may, or if the queue does not
 * exist, which the send will show.
 *
 * The queue must belong to an account that may receive, and have a tag with this deployment's id. Only the queue's own
 * account may list its tags. For a queue of another account, IAM decides. There, reconcile's role may read the queue's
 * attributes under the same condition as it may send.
 */
export async function whyNotDeliverable(
  { queues, rules, clusterId }: DeliverableOptions,
  { arn, url }: UsersQueue,
): Promise<string | undefined> {
  const account = accountOfArn(arn);
  if (!mayReceive(rules, account)) return `${arn} is of account ${account}, which may not receive`;
  const wanted = `the tag ${DELIVER_TAG} with the value ${clusterId}`;
  try {
    if (account !== rules.account) {
      await queues.attributes(url);
      return undefined;
    }
    const tags = await queues.tags(url);
    if (tags === undefined) return undefined;
    const found = tags[DELIVER_TAG];
    if (found === clusterId) return undefined;
    return `${arn} has to have ${wanted}, and ${found === undefined ? 'has no such tag' : `has the value ${found}`}`;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (!DENIED.test(said)) throw error;
    return account === rules.account
      ? `${arn} has to have ${wanted}: ${said}`
      : `${arn} has to have ${wanted}, and its account has to be one that may receive. Its policy has to allow account ${rules.account} the actions sqs:SendMessage and sqs:GetQueueAttributes: ${said}`;
  }
}

const DENIED = /not authorized|access ?denied|access to the resource/i;
