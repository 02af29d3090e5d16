import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';

export interface ClientConfig {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface ClientsOptions {
  /** The endpoints of the emulators. */
  readonly dynamodb: string;
  readonly sqs: string;
  readonly region: string;
}

/** The AWS clients of a local run, and the configurations for further clients. */
export interface Clients {
  readonly dynamodb: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly sqs: SQSClient;
  readonly dynamodbClientConfig: ClientConfig;
  readonly sqsClientConfig: ClientConfig;
  destroy(): void;
}

export function createClients({ dynamodb: table, sqs: queues, region }: ClientsOptions): Clients {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamodbClientConfig: ClientConfig = { endpoint: table, region, credentials };
  const sqsClientConfig: ClientConfig = { endpoint: queues, region, credentials };
  const dynamodb = new DynamoDBClient({ ...dynamodbClientConfig });
  const streams = new DynamoDBStreamsClient({ ...dynamodbClientConfig });
  const sqs = new SQSClient({ ...sqsClientConfig });
  const destroy = () => {
    for (const client of [dynamodb, streams, sqs]) client.destroy();
  };
  return { dynamodb, streams, sqs, dynamodbClientConfig, sqsClientConfig, destroy };
}
