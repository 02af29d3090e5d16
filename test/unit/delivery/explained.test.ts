import { describe, expect, it } from '@jest/globals';
import { explained } from '../../../lib/delivery/subscription/explained.ts';

const own = { queueArn: 'arn:aws:sqs:eu-central-1:444455556666:theirs' };

describe('the explanation why a user-owned queue rejected a message', () => {
  it.each([
    ['User: arn:aws:sts::1:x is not authorized to perform: sqs:sendmessage', 'tag winnow:deliver'],
    ['Access to the resource https://sqs/x is denied.', 'tag winnow:deliver'],
    ['AccessDenied', 'sqs:SendMessage'],
    ['KMS.AccessDeniedException', 'kms:GenerateDataKey'],
    ['The ciphertext refers to a customer master key that does not exist', 'kms:Decrypt'],
    ['One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.', '1048576'],
    ['Request is throttled.', 'perMessageGroupId'],
  ])('the explanation names the missing permission or setting: %s', (said, needs) => {
    expect(explained(said, own)).toMatch(said);
    expect(explained(said, own)).toContain(needs);
  });

  it("other errors, and errors of Winnow's own queues, keep the message of SQS", () => {
    expect(explained('no such thing', own)).toBe('no such thing');
    expect(explained('AccessDenied', { queueArn: '' })).toBe('AccessDenied');
  });
});
