import type { Queues } from '../../coordination/index.ts';
import { DELIVER_TAG } from '../../platform/index.ts';
import { mayReceive, type SubscribingRules } from '../limits/index.ts';
import { accountOfArn } from '../subscription/index.ts';

export interface DeliverableOptions {
  readonly queues: Pick<Queues, 'attributes' | 'tags'>;
  readonly rules: SubscribingRules;
  /** What the tag of a queue of users has to say. */
  readonly clusterId: string;
}

export interface UsersQueue {
  readonly arn: string;
  readonly url: string;
}

/**
 * Why a queue of users is not to be sent to, in words; undefined: it is, or it is not there, which the send will say. It has to be of an account that may receive,
 * and tagged with the id of this deployment. Only the own account may list tags. Of another one, reconcile's role may
 * look at a queue under just the condition under which it may send: so IAM answers.
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
      : `${arn} has to have ${wanted}, be of an account that may receive, and its policy has to let account ${rules.account} do sqs:SendMessage and sqs:GetQueueAttributes: ${said}`;
  }
}

const DENIED = /not authorized|access ?denied|access to the resource/i;
