import { describe, expect, it } from '@jest/globals';
import { accessOf, accessPolicy } from '../../../lib/delivery/subscription/queue-access.ts';

const ARN = 'arn:aws:sqs:eu-central-1:111122223333:q';
const ROLE = 'arn:aws:iam::444455556666:role/reader';
const statements = (...given: Parameters<typeof accessPolicy>) =>
  JSON.parse(accessPolicy(...given)).Statement;

describe("the policy of a subscription's queue", () => {
  it('the policy denies unencrypted connections to all principals', () => {
    expect(JSON.parse(accessPolicy(ARN, { arns: [] }))).toEqual({
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

  it('the policy allows consumers only to receive', () => {
    expect(statements(ARN, { arns: [ROLE] })[1]).toEqual({
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

  it('the policy limits consumers to an organization', () => {
    const [, lets] = statements(ARN, { arns: [ROLE], organization: 'o-abcdefghij' });
    expect(lets.Condition).toEqual({ StringEquals: { 'aws:PrincipalOrgID': 'o-abcdefghij' } });
  });

  it("the policy keeps foreign statements and replaces Winnow's own", () => {
    const theirs = {
      Sid: 'Theirs',
      Effect: 'Allow',
      Principal: '*',
      Action: 'sqs:SendMessage',
      Resource: ARN,
    };
    const before = JSON.stringify({ Statement: [...statements(ARN, { arns: [ROLE] }), theirs] });
    expect(statements(ARN, { arns: [] }, before)).toEqual([...statements(ARN, { arns: [] }), theirs]);
    expect(statements(ARN, { arns: [] }, JSON.stringify({ Statement: theirs }))).toContainEqual(theirs);
    expect(statements(ARN, { arns: [] }, '')).toHaveLength(1);
    expect(statements(ARN, { arns: [] }, '{}')).toHaveLength(1);
  });

  it('accessOf gives different receivers different hashes', () => {
    expect(accessOf({ arns: [ROLE] })).toMatch(/^[0-9a-f]{16}$/);
    expect(
      new Set([accessOf({ arns: [] }), accessOf({ arns: [ROLE] }), accessOf({ arns: [ROLE, ROLE] })]).size,
    ).toBe(3);
  });
});
