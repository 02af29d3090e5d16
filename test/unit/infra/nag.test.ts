import { expect, it } from '@jest/globals';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { findings } from './findings.ts';

it('cdk-nag finds nothing in the stack that is not acknowledged with its reason', async () => {
  await expect(findings({ by: 'cdk-nag' })).resolves.toEqual([]);
}, 120_000);

it('cdk-nag would find a queue without dead letters, sent to in plain text', async () => {
  const change = (stack: Queue['stack']) => new Queue(stack, 'Careless');
  const found = await findings({ by: 'cdk-nag', change });
  expect(found.sort()).toEqual([
    'AwsSolutions-SQS3 Winnow/Careless/Resource',
    'AwsSolutions-SQS4 Winnow/Careless/Resource',
  ]);
}, 120_000);
