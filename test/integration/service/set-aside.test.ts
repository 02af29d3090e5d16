import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setAsideMeter } from '../../../lib/controllers/reconcile/index.ts';
import { createSqsQueues } from '../../../lib/coordination/sqs/index.ts';
import { ENVIRONMENT, type MetricName, silentLogger } from '../../../lib/platform/index.ts';
import { type Service, startService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('reconcile finds a message in each queue that functions give messages up to', async () => {
  const urls = String(process.env[ENVIRONMENT.setAsideQueueUrls]).split(',');
  expect(urls).toHaveLength(4);
  const counted = async () => {
    const recorded: [MetricName, number][] = [];
    const named: string[] = [];
    await setAsideMeter({
      urls,
      queues: createSqsQueues(),
      clock: { now: () => 0 },
      logger: { ...silentLogger, error: (_message, data) => named.push(JSON.stringify(data?.queues)) },
      metrics: { record: (metric, value) => recorded.push([metric, value]) },
    })();
    return { recorded, named: named.join() };
  };
  expect((await counted()).recorded).toEqual([]);
  const client = new SQSClient(service.winnow.sqsClientConfig);
  for (const [at, QueueUrl] of urls.entries()) {
    const ids = { MessageGroupId: 'a', MessageDeduplicationId: 'a' };
    const command = { QueueUrl, MessageBody: 'given up', ...(QueueUrl.endsWith('.fifo') && ids) };
    await client.send(new SendMessageCommand(command));
    expect((await counted()).recorded).toEqual([['SetAsideMessages', at + 1]]);
  }
  const { named } = await counted();
  for (const url of urls) expect(named).toContain(url.slice(url.lastIndexOf('/') + 1));
  client.destroy();
});
