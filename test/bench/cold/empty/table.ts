import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Reads a row that is not there, so many times. */
export async function read(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await client.send(
      new GetCommand({ TableName: process.env.WINNOW_TABLE, Key: { pk: 'no', sk: 'such row' } }),
    );
  }
}
