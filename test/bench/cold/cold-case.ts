import type { FunctionName } from '../../../lib/platform/function-names.ts';
import { proxyEvent } from '../proxy-event.ts';
import type { ColdWorld } from './cold-world.ts';

/** What a function is asked first, and what is to be asked of the same services by a handler that is empty. */
export interface ColdCase {
  readonly name: FunctionName;
  /** In `empty/`: the handler with the same clients. */
  readonly empty: 'dynamodb' | 'sqs' | 'dynamodb-and-sqs' | 'sts';
  readonly event: (world: ColdWorld) => unknown;
  /** What its answer has at least. */
  readonly answer: unknown;
}

export const COLD_CASES: readonly ColdCase[] = [
  {
    name: 'read',
    empty: 'dynamodb',
    event: () => proxyEvent('GET', '/api/v1/pods'),
    answer: { statusCode: 200 },
  },
  {
    name: 'write',
    empty: 'dynamodb-and-sqs',
    event: () =>
      proxyEvent('POST', '/api/v1/nodes', {
        body: {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { generateName: 'cold-', labels: { app: 'cold' } },
        },
      }),
    answer: { statusCode: 201 },
  },
  {
    name: 'relay',
    empty: 'sqs',
    event: () => ({
      Records: [{ dynamodb: { Keys: { pk: { S: 'journal#core/pods#1' }, sk: { S: '1' } } } }],
    }),
    answer: undefined,
  },
  {
    name: 'dispatch',
    empty: 'dynamodb-and-sqs',
    event: () => queueEvent({ collection: 'core/nodes', rv: 1 }),
    answer: { batchItemFailures: [] },
  },
  {
    name: 'reconcile',
    empty: 'dynamodb-and-sqs',
    event: () => queueEvent({ kind: 'namespace', name: 'gone' }),
    answer: { batchItemFailures: [] },
  },
  {
    name: 'authorizer',
    empty: 'sts',
    event: async ({ token }) => ({
      type: 'TOKEN',
      methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/stage/GET/',
      authorizationToken: `Bearer ${await token()}`,
    }),
    answer: { policyDocument: { Statement: [{ Effect: 'Allow' }] } },
  },
];

function queueEvent(body: object) {
  return { Records: [{ messageId: 'cold', attributes: {}, body: JSON.stringify(body) }] };
}
