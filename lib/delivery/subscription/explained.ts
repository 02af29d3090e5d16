import { DELIVER_TAG } from '../../platform/index.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** Errors of SQS, and what a user-owned queue needs to prevent them. */
const NEEDS: readonly (readonly [said: RegExp, needs: string])[] = [
  [
    /kms|ciphertext|master key/i,
    'its key has to let the roles of dispatch and reconcile use kms:GenerateDataKey and kms:Decrypt, or be that of SQS',
  ],
  [
    /not authorized|access ?denied|access to the resource/i,
    `it has to have the tag ${DELIVER_TAG}, and in another account a policy that lets this one sqs:SendMessage`,
  ],
  [/shorter than|too long|maximum message size/i, 'its MaximumMessageSize has to be 1048576'],
  [
    /throttl|rate exceeded|too many requests/i,
    'a FIFO queue takes 300 requests a second unless its FifoThroughputLimit is perMessageGroupId',
  ],
];

/**
 * The human-readable reason why a queue did not accept a message. For a user-owned queue it says what the queue needs.
 */
export function explained(message: string, { queueArn }: Pick<SubscriptionState, 'queueArn'>): string {
  const needs = queueArn === '' ? undefined : NEEDS.find(([said]) => said.test(message));
  return needs === undefined ? message : `${message}; ${needs[1]}`;
}
