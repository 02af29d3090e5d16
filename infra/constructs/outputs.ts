import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Alarms } from './alarms.ts';
import type { Api } from './api.ts';
import type { Login } from './login.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';

export interface OutputsProps {
  readonly api: Api;
  readonly table: Table;
  readonly queues: Queues;
  readonly login: Login;
  readonly alarms: Alarms;
  readonly props: { readonly stsEndpoint?: string | undefined };
}

/** What a deployer is told at the end. */
export class Outputs {
  constructor(stack: Stack, { api, table, queues, login, alarms, props }: OutputsProps) {
    new CfnOutput(stack, 'ApiUrl', { value: api.rest.url, description: 'The server in a kubeconfig' });
    new CfnOutput(stack, 'ClusterId', { value: login.clusterId, description: 'What tokens are made for' });
    new CfnOutput(stack, 'TokenCommand', {
      description: 'Prints a token for 14 minutes, as a kubeconfig does by itself',
      value: `aws --region ${Aws.REGION} eks get-token --cluster-name ${login.clusterId}`,
    });
    new CfnOutput(stack, 'TableName', { value: table.table.tableName });
    new CfnOutput(stack, 'EventQueueUrl', { value: queues.events.queueUrl });
    new CfnOutput(stack, 'AlarmTopicArn', {
      value: alarms.topic.topicArn,
      description: 'Subscribe to it to hear of alarms',
    });
    if (props.stsEndpoint !== undefined) {
      new CfnOutput(stack, 'EmulatedStsEndpoint', {
        value: props.stsEndpoint,
        description: 'FOR EMULATORS ONLY: this decides who gets in, and not AWS',
      });
    }
  }
}
