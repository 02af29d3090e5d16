import { writeFile } from 'node:fs/promises';
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { winnow } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, delete]
`;

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

it('winnow start --audit-queue sends the events of the policy to a queue of that name', async () => {
  const policy = servers.within('audit.yaml');
  await writeFile(policy, POLICY);
  const { http, sqs } = await servers.start(
    servers.within('data'),
    '--audit-policy',
    policy,
    '--audit-queue',
    'audit',
  );
  const path = '/api/v1/namespaces/default/configmaps';
  expect((await http.send('POST', path, { body: { metadata: { name: 'seen' } } })).status).toBe(201);
  await http.get(path);
  expect((await http.send('DELETE', `${path}/seen`)).status).toBe(200);
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const client = new SQSClient({ endpoint: sqs, region: 'us-east-1', credentials });
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'audit' }));
  const events: { verb: string; requestURI: string; responseStatus: { code: number } }[] = [];
  await eventually('both are there', async () => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    events.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
    return events.length >= 2;
  });
  client.destroy();
  expect(events.map(({ verb, requestURI, responseStatus: { code } }) => [verb, requestURI, code])).toEqual([
    ['create', path, 201],
    ['delete', `${path}/seen`, 200],
  ]);
});

it('winnow start refuses --audit-queue without --audit-policy', async () => {
  const { code, errors } = await winnow('start', '--port', '0', '--audit-queue', 'audit');
  expect([code, errors]).toEqual([1, expect.stringContaining('--audit-queue needs --audit-policy')]);
});
