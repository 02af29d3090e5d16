import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type Bundles, bundleFunctions } from '../../../infra/bundle/bundle-functions.ts';
import { beginTable, startDatabase } from '../../../infra/local/data/index.ts';
import { readDefinition } from '../../../infra/local/definition.ts';
import { enterEnvironment } from '../../../infra/local/environment.ts';
import { withLogin } from '../../../infra/local/login.ts';
import { startQueues } from '../../../infra/local/queues.ts';
import { createResources } from '../../../infra/local/resources.ts';
import { loadTemplate } from '../../../infra/local/template.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { EXAMPLE_CREDENTIALS, eksToken } from '../../support/login/eks-token.ts';
import { fakeSts, startSts } from '../../support/login/fake-sts.ts';

const REGION = 'us-east-1';
const PRINCIPAL = 'arn:aws:iam::111122223333:user/alice';

/** The stack's table and queues on embedded servers, and an STS; nobody polls them. */
export interface ColdWorld {
  readonly bundles: Bundles;
  /** A fresh one, of somebody who is let in. */
  token(): Promise<string>;
  stop(): Promise<void>;
}

/** Sets what the functions find in `process.env`, for the processes that this one starts. */
export async function openColdWorld(): Promise<ColdWorld> {
  const bundles = await bundleFunctions();
  const template = await loadTemplate({ bundles: bundles.directory, streaming: true });
  const database = await startDatabase({});
  const queues = await startQueues({ region: REGION });
  const sts = await startSts(fakeSts({ [EXAMPLE_CREDENTIALS.accessKeyId]: PRINCIPAL }).ask);
  const [dynamodb, sqs] = [clientConfig(database.endpoint), clientConfig(queues.endpoint)];
  const physical = await createResources({
    template,
    dynamodb: new DynamoDBClient(dynamodb),
    sqs: new SQSClient(sqs),
    sqsEndpoint: queues.endpoint,
    region: REGION,
  });
  database.tune();
  const login = { principals: [PRINCIPAL], stsEndpoint: sts.endpoint };
  const { functions } = withLogin(readDefinition(template, physical), login);
  const leave = enterEnvironment({
    functions: functions.values(),
    region: REGION,
    dynamodb: database.endpoint,
    sqs: queues.endpoint,
    // Nobody dies, so nobody is invoked.
    lambda: queues.endpoint,
  });
  // As a new deployment begins.
  await beginTable({ tableName: process.env[ENVIRONMENT.table] ?? '', config: dynamodb }, true);
  const clusterId = process.env[ENVIRONMENT.clusterId] ?? '';
  return {
    bundles,
    token: () => eksToken({ clusterId, date: new Date() }),
    stop: async () => {
      leave();
      for (const server of [sts, queues, database]) await server.stop();
    },
  };
}

function clientConfig(endpoint: string) {
  return { endpoint, region: REGION, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}
