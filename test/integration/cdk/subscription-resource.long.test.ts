import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApiClient, createSubscriptionResource } from '../../../functions/subscription/index.ts';
import { type Service, startService } from '../../support/service/service.ts';

const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const context = { invokedFunctionArn: 'arn:aws-cn:lambda:cn-north-1:111122223333:function:any' };

let service: Service;
let sqs: SQSClient;
let resource: ReturnType<typeof createSubscriptionResource>;

beforeAll(async () => {
  service = await startService();
  sqs = new SQSClient({ ...service.winnow.sqsClientConfig, useQueueUrlAsEndpoint: false });
  const api = createApiClient({ url: `${service.winnow.url}/`, token: async () => 'none is asked for here' });
  resource = createSubscriptionResource({ api, sleep: () => sleep(50) });
});

afterAll(async () => {
  sqs.destroy();
  await service.stop();
});

const request = (
  RequestType: 'Create' | 'Update' | 'Delete',
  name: string,
  labelSelector: string,
  former?: string,
) => ({
  RequestType,
  StackId: 'arn:aws:cloudformation:eu-west-1:111122223333:stack/Theirs/1',
  LogicalResourceId: 'Frontends',
  ...(former !== undefined && { PhysicalResourceId: former }),
  ResourceProperties: {
    namespace: 'default',
    name,
    spec: JSON.stringify({ resource: { group: '', resource: 'pods' }, labelSelector, start: 'snapshot' }),
  },
});

const specOf = async (name: string) => (await service.http.get(`${SUBSCRIPTIONS}/${name}`)).body.spec;

it('the Subscription of a custom resource is created once with its queue, also on a repeated request', async () => {
  const made = await resource(request('Create', 'front', 'app=web'), context);
  const { queueUrl } = (await service.http.get(`${SUBSCRIPTIONS}/front`)).body.status as { queueUrl: string };
  expect(made).toEqual({
    PhysicalResourceId: 'default/front',
    Data: {
      QueueUrl: queueUrl,
      QueueArn: `arn:aws-cn:sqs:cn-north-1:111122223333:${queueUrl.split('/').at(-1)}`,
    },
  });
  expect(await resource(request('Create', 'front', 'app=web'), context)).toEqual(made);
});

it('the Subscription of a custom resource is updated in place', async () => {
  const { PhysicalResourceId } = await resource(
    request('Update', 'front', 'app=db', 'default/front'),
    context,
  );
  expect(PhysicalResourceId).toBe('default/front');
  expect(await specOf('front')).toMatchObject({ labelSelector: 'app=db' });
});

it('a new name creates another Subscription, and the former one is left to be deleted', async () => {
  const { PhysicalResourceId } = await resource(
    request('Update', 'other', 'app=db', 'default/front'),
    context,
  );
  expect(PhysicalResourceId).toBe('default/other');
  expect(await specOf('front')).toMatchObject({ labelSelector: 'app=db' });
});

it('a custom resource does not take over a foreign Subscription', async () => {
  await service.http.post(SUBSCRIPTIONS, {
    metadata: { name: 'theirs' },
    spec: { resource: { resource: 'pods' } },
  });
  await expect(resource(request('Create', 'theirs', 'app=web'), context)).rejects.toThrow('does not belong');
  expect(await specOf('theirs')).not.toMatchObject({ labelSelector: 'app=web' });
});

it('an invalid Subscription is refused with the message of the API, and leaves nothing behind', async () => {
  await expect(resource(request('Create', 'wrong', 'app in web'), context)).rejects.toThrow(
    'unable to parse',
  );
  expect((await service.http.send('GET', `${SUBSCRIPTIONS}/wrong`)).status).toBe(404);
});

it('a delete removes the Subscription with its queue, and ignores one that does not exist', async () => {
  const { queueUrl } = (await service.http.get(`${SUBSCRIPTIONS}/front`)).body.status as { queueUrl: string };
  const gone = request('Delete', 'front', 'app=db', 'default/front');
  expect(await resource(gone, context)).toEqual({ PhysicalResourceId: 'default/front' });
  expect((await service.http.send('GET', `${SUBSCRIPTIONS}/front`)).status).toBe(404);
  const QueueName = queueUrl.split('/').at(-1);
  await expect(sqs.send(new GetQueueUrlCommand({ QueueName }))).rejects.toThrow(/not exist|NonExistent/);
  expect(await resource(gone, context)).toEqual({ PhysicalResourceId: 'default/front' });
  const never = { ...gone, PhysicalResourceId: 'Theirs-Frontends-1' };
  expect(await resource(never, context)).toEqual({ PhysicalResourceId: 'Theirs-Frontends-1' });
});
