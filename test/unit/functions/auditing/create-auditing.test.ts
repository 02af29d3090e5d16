import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAuditing } from '../../../../functions/auditing/index.ts';
import { startQueues } from '../../../../infra/local/queues.ts';
import { createSqsQueues } from '../../../../lib/coordination/sqs/index.ts';
import { ENVIRONMENT, silentLogger } from '../../../../lib/platform/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { capturePrintedLines } from '../../../support/service/printed-lines.ts';

const POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

const before = { ...process.env };
let sqs: Awaited<ReturnType<typeof startQueues>>;
beforeAll(async () => {
  sqs = await startQueues({ region: 'us-east-1' });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
  });
});
afterAll(async () => {
  process.env = before;
  await sqs.stop();
});

it('With a queue, the events that the policy requests are in the queue when the request is answered', async () => {
  const queues = createSqsQueues();
  const url = await queues.create('audit-of-functions', { attributes: {}, tags: {} });
  const heard = { logger: silentLogger, metrics: { record: () => {} } };
  expect(createAuditing(heard)).toBeUndefined();
  process.env[ENVIRONMENT.auditPolicy] = JSON.stringify(POLICY);
  process.env[ENVIRONMENT.auditQueueUrl] = url;
  const auditing = await createAuditing(heard)?.();
  const request = {
    auditID: 'of-a-request',
    method: 'GET',
    path: '/api/v1/nodes',
    query: new URLSearchParams(),
    headers: {},
    user: ADMIN,
  };
  const printed = capturePrintedLines();
  try {
    // A request waits for one second, which may be too short on a busy machine.
    await eventually('an event in the queue', async () => {
      const trail = await auditing?.begin(request);
      trail?.answered({ status: 200, headers: {}, body: '{}' }, { lasts: false });
      await trail?.settled();
      return (await queues.attributes(url))?.ApproximateNumberOfMessages !== '0';
    });
  } finally {
    printed.release();
  }
});
