import { describe, expect, it } from '@jest/globals';
import { accessOf, accessPolicy } from '../../../lib/watch/subscription/queue-access.ts';

const ARN = 'arn:aws:sqs:eu-central-1:111122223333:q';
const ROLE = 'arn:aws:iam::444455556666:role/reader';
const statements = (...given: Parameters<typeof accessPolicy>) =>
  JSON.parse(accessPolicy(...given)).Statement;

describe("the policy of a subscription's queue", () => {
  it('refuses plain text to everybody', () => {
    expect(JSON.parse(accessPolicy(ARN, []))).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Sid: 'WinnowRefusesPlainText',
          Effect: 'Deny',
          Principal: '*',
          Action: 'sqs:*',
          Resource: ARN,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    });
  });

  it('lets consumers receive, and do no more', () => {
    expect(statements(ARN, [ROLE])[1]).toEqual({
      Sid: 'WinnowLetsConsumersReceive',
      Effect: 'Allow',
      Principal: { AWS: [ROLE] },
      Action: [
        'sqs:ReceiveMessage',
        'sqs:DeleteMessage',
        'sqs:ChangeMessageVisibility',
        'sqs:GetQueueAttributes',
        'sqs:GetQueueUrl',
      ],
      Resource: ARN,
    });
  });

  it("keeps others' statements, and none of ours", () => {
    const theirs = {
      Sid: 'Theirs',
      Effect: 'Allow',
      Principal: '*',
      Action: 'sqs:SendMessage',
      Resource: ARN,
    };
    const before = JSON.stringify({ Statement: [...statements(ARN, [ROLE]), theirs] });
    expect(statements(ARN, [], before)).toEqual([...statements(ARN, []), theirs]);
    expect(statements(ARN, [], JSON.stringify({ Statement: theirs }))).toContainEqual(theirs);
    expect(statements(ARN, [], '')).toHaveLength(1);
    expect(statements(ARN, [], '{}')).toHaveLength(1);
  });

  it('is told from another by whom it lets', () => {
    expect(accessOf([ROLE])).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set([accessOf([]), accessOf([ROLE]), accessOf([ROLE, ROLE])]).size).toBe(3);
  });
});
