import { expect, it } from '@jest/globals';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { findings } from './findings.ts';

const RANGE = { minimum: 5, maximum: 50 };

const auditPolicy = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
});

it.each([
  { placement: true, derived: ['status'], key: 'managed', serviceAccountTokens: true, canary: true } as const,
  { auditPolicy, auditLogRetention: 365, auditLogKey: 'managed', serviceAccountTokens: true },
  { provisioned: { read: RANGE, write: RANGE, utilization: 70 } },
])('cdk-nag finds only acknowledged findings in the stack with %j', async (chosen) => {
  await expect(findings({ by: 'cdk-nag', chosen })).resolves.toEqual([]);
});

it('cdk-nag would find a queue without dead letters and without enforced TLS', async () => {
  const change = (stack: Queue['stack']) => new Queue(stack, 'Careless');
  const found = await findings({ by: 'cdk-nag', change });
  expect(found.sort()).toEqual([
    'AwsSolutions-SQS3 Winnow/Careless/Resource',
    'AwsSolutions-SQS4 Winnow/Careless/Resource',
  ]);
});
