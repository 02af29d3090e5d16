import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SigningHash, TIMING } from '../../platform/index.ts';
import { readRowsItself } from './wire-answers.ts';

/**
 * Steps of the SDK for every request that Winnow does not need: a copy of each input and output for a logger, though
 * there is none; Lambda's trace header, which DynamoDB does not pass on; and a description of the SDK that it
 * rebuilds each time. Why: docs/decisions/0010-the-sdk-without-unused-steps.md
 */
const SPARED = ['loggerMiddleware', 'recursionDetectionMiddleware', 'getUserAgentMiddleware'];
const USER_AGENT = 'winnow';

/** Creates a client whose requests have short timeouts. */
export function createClient(config: DynamoDBClientConfig): DynamoDBClient {
  const client = new DynamoDBClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: TIMING.grace, throwOnRequestTimeout: true },
    sha256: SigningHash,
    ...config,
  });
  for (const name of SPARED) client.middlewareStack.remove(name);
  client.middlewareStack.add(
    (next) => (args) => {
      const { request } = args as { request: { headers: Record<string, string> } };
      request.headers['user-agent'] = USER_AGENT;
      return next(args);
    },
    { step: 'build', name: 'userAgent' },
  );
  readRowsItself(client);
  return client;
}
