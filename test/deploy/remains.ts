import {
  CloudWatchLogsClient,
  DeleteLogGroupCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteTableCommand,
  DynamoDBClient,
  paginateListTables,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DeleteQueueCommand, paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import type { TrialOptions } from './trial.ts';

/** What a stack of this name has left behind, by name or URL. */
export interface Remains {
  readonly tables: readonly string[];
  readonly queues: readonly string[];
  readonly logGroups: readonly string[];
}

type Stack = Pick<TrialOptions, 'target' | 'stackName'>;

export async function remains({ target, stackName }: Stack): Promise<Remains> {
  const tables: string[] = [];
  const dynamodb = new DynamoDBClient(target.client);
  for await (const page of paginateListTables({ client: dynamodb }, {})) {
    tables.push(...(page.TableNames ?? []));
  }
  const queues: string[] = [];
  const prefix = { QueueNamePrefix: `${stackName.toLowerCase()}-subscription-`, MaxResults: 1_000 };
  for await (const page of paginateListQueues({ client: new SQSClient(target.client) }, prefix)) {
    queues.push(...(page.QueueUrls ?? []));
  }
  return {
    tables: tables.filter((name) => name.startsWith(`${stackName}-`)),
    queues,
    logGroups: await logGroupsOf({ target, stackName }),
  };
}

/** The functions' log groups, which CloudFormation named after the stack. */
export async function logGroupsOf({ target, stackName }: Stack): Promise<string[]> {
  const client = new CloudWatchLogsClient(target.client);
  const names: string[] = [];
  for await (const page of paginateDescribeLogGroups({ client }, {})) {
    names.push(...(page.logGroups ?? []).map(({ logGroupName = '' }) => logGroupName));
  }
  return names.filter((name) => name.includes(stackName));
}

/** Removes tables, protected or not, queues, and the log groups that did not go with the stack. */
export async function removeRemains(stack: Stack): Promise<void> {
  const { tables, queues, logGroups } = await remains(stack);
  const client = new DynamoDBClient(stack.target.client);
  for (const TableName of tables) {
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await waitUntilTableExists({ client, maxWaitTime: 120 }, { TableName });
    await client.send(new DeleteTableCommand({ TableName }));
  }
  const sqs = new SQSClient({ ...stack.target.client, useQueueUrlAsEndpoint: false });
  for (const QueueUrl of queues) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  const logs = new CloudWatchLogsClient(stack.target.client);
  for (const logGroupName of logGroups) await logs.send(new DeleteLogGroupCommand({ logGroupName }));
}
