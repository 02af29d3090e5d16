import assert from 'node:assert/strict';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TIMING } from '../../../lib/platform/index.ts';
import { headKey } from '../../../lib/store/index.ts';
import { PODS, type Step } from '../trial.ts';

/**
 * The one step that reaches past the gateway: it is the writer that dies, between its resourceVersion and its
 * commit. Only then does the read function invoke another, by a grant that nothing else uses.
 */
export const surviveDeadWriter: Step = {
  name: 'a writer dies at work',
  run: async ({ deployment, options }) => {
    const { http, outputs } = deployment;
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(options.target.client));
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: outputs.TableName,
        Key: headKey('core/pods'),
        UpdateExpression: 'ADD rv :one',
        ExpressionAttributeValues: { ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    const began = performance.now();
    assert.equal(await http.version(PODS), String(Attributes?.rv));
    const seconds = (performance.now() - began) / 1_000;
    assert.ok(seconds * 1_000 >= TIMING.grace, `it was given up after ${seconds} s`);
    await http.merge(`${PODS}/cuda-test`, { metadata: { labels: { after: 'death' } } });
    return `given up after ${seconds.toFixed(1)} s`;
  },
};
