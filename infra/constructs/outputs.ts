import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Api } from './api.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';
import type { TokenAuthorizer } from './token-authorizer.ts';

export interface OutputsProps {
  readonly api: Api;
  readonly table: Table;
  readonly queues: Queues;
  readonly authorizer: TokenAuthorizer;
}

/** What a deployer is told at the end. */
export class Outputs {
  constructor(stack: Stack, { api, table, queues, authorizer }: OutputsProps) {
    const arn = authorizer.secretArn;
    new CfnOutput(stack, 'ApiUrl', { value: api.rest.url, description: 'The server in a kubeconfig' });
    new CfnOutput(stack, 'TableName', { value: table.table.tableName });
    new CfnOutput(stack, 'EventQueueUrl', { value: queues.events.queueUrl });
    new CfnOutput(stack, 'TokenSecretArn', { value: arn });
    new CfnOutput(stack, 'TokenCommand', {
      description: 'Prints the bearer token',
      value: `aws secretsmanager get-secret-value --secret-id ${arn} --query SecretString --output text`,
    });
  }
}
