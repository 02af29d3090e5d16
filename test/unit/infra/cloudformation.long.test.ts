import { expect, it } from '@jest/globals';
import { CfnResource, type Stack } from 'aws-cdk-lib';
import { findings } from './findings.ts';

const RANGE = { minimum: 5, maximum: 50 };

// The check takes seconds and gives the same result in every deployment, so `infra/app.ts` skips it.
it.each([
  {},
  {
    streaming: false,
    placement: true,
    key: 'managed',
    serviceAccountTokens: true,
    canary: true,
    derived: ['status'] as const,
  },
  { provisioned: { read: RANGE, write: RANGE, utilization: 70 } },
  { warmWriteUnits: 8_000 },
])("the CDK's check finds nothing in the template with %j", async (chosen) => {
  await expect(findings({ by: 'CloudFormation', chosen })).resolves.toEqual([]);
});

it("the CDK's check would find a property that CloudFormation does not know", async () => {
  const wrong = { type: 'AWS::SQS::Queue', properties: { Nonsense: true } };
  const change = (stack: Stack) => new CfnResource(stack, 'Wrong', wrong);
  const found = await findings({ by: 'CloudFormation', change });
  expect(found).toEqual([expect.stringContaining('Winnow/Wrong')]);
});
