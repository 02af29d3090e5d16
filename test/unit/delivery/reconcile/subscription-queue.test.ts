import { expect, it } from '@jest/globals';
import type { Queues } from '../../../../lib/coordination/index.ts';
import { createQueue } from '../../../../lib/delivery/reconcile/subscription-queue.ts';

const made: Record<string, string>[] = [];
const queues = {
  create: async (_name: string, { attributes }: { attributes: Record<string, string> }) => {
    made.push(attributes);
    return 'memory://q';
  },
} as unknown as Queues;

it.each([
  [undefined, { SqsManagedSseEnabled: 'true' }],
  [
    'arn:aws:kms:r:1:key/k',
    { KmsMasterKeyId: 'arn:aws:kms:r:1:key/k', KmsDataKeyReusePeriodSeconds: '3600' },
  ],
])('a new queue is encrypted with the key %s', async (queueKey, encrypted) => {
  const given = { queues, queueKey, queuePrefix: 'w-subscription-', queueArns: 'arn:aws:sqs:r:1:' };
  await createQueue(given, 'w-subscription-a', {
    uid: 'u',
    name: { namespace: 'n', name: 'a' },
    fifo: false,
  });
  const {
    Policy: _policy,
    MessageRetentionPeriod: _kept,
    MaximumMessageSize: _size,
    ...rest
  } = made.pop() ?? {};
  expect(rest).toEqual(encrypted);
});
