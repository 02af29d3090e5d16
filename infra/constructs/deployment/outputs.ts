import { Aws, CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Api } from '../entrance/index.ts';
import type { Login } from '../functions/index.ts';
import type { Queues, Table } from '../storage/index.ts';
import type { Alarms } from '../watching/index.ts';

export interface OutputsProps {
  readonly api: Api;
  readonly table: Table;
  readonly queues: Queues;
  readonly login: Login;
  readonly alarms: Alarms;
  readonly props: {
    readonly stsEndpoint?: string | undefined;
    readonly vpcEndpoints?: readonly string[] | undefined;
  };
}

/** The outputs of the stack. */
export class Outputs {
  constructor(scope: Construct, { api, table, queues, login, alarms, props }: OutputsProps) {
    new CfnOutput(scope, 'ApiUrl', { value: api.url, description: 'The server in a kubeconfig' });
    if (props.vpcEndpoints?.length) {
      new CfnOutput(scope, 'VpcEndpoints', {
        value: props.vpcEndpoints.join(','),
        description: 'The API can be reached only through these VPC endpoints',
      });
    }
    new CfnOutput(scope, 'ClusterId', {
      value: login.clusterId,
      description: 'The cluster that tokens are signed for',
    });
    new CfnOutput(scope, 'TokenCommand', {
      description: 'Prints a token that is valid for 14 minutes; a kubeconfig runs this command itself',
      value: `aws --region ${Aws.REGION} eks get-token --cluster-name ${login.clusterId}`,
    });
    new CfnOutput(scope, 'TableName', { value: table.table.tableName });
    new CfnOutput(scope, 'EventQueueUrl', { value: queues.events.queueUrl });
    new CfnOutput(scope, 'AlarmTopicArn', {
      value: alarms.topic.topicArn,
      description: 'Subscribe to this topic to be notified of alarms',
    });
    if (props.stsEndpoint !== undefined) {
      new CfnOutput(scope, 'EmulatedStsEndpoint', {
        value: props.stsEndpoint,
        description: 'FOR EMULATORS ONLY: this endpoint, not AWS, decides which logins succeed',
      });
    }
  }
}
