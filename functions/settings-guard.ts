import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import middy from '@middy/core';
import type { CloudFormationCustomResourceResponse } from 'aws-lambda';
import { createSettingsGuard } from './guarding/index.ts';
import { createLogger } from './logger.ts';

/** The function that CloudFormation calls before it changes a stack. It refuses a deployment that would lose data. */

const { powertools, logger } = createLogger('settings-guard');
const client = new CloudFormationClient({ maxAttempts: 10 });

async function stackStatus(StackName: string): Promise<string> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  return stack?.StackStatus ?? '';
}

/** Sends the answer to CloudFormation. If it throws, Lambda retries the invocation twice. */
async function respond(url: string, answer: CloudFormationCustomResourceResponse): Promise<void> {
  const { ok, status } = await fetch(url, { method: 'PUT', body: JSON.stringify(answer) });
  if (!ok) throw new Error(`CloudFormation refused the answer: ${status}`);
}

export const handler = middy(createSettingsGuard({ logger, stackStatus, respond })).use(
  injectLambdaContext(powertools),
);
