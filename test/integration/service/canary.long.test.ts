import { DeleteQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { scheduledEvent } from '../../../infra/local/schedule.ts';
import { eventually } from '../../support/eventually.ts';
import type { Inbox } from '../../support/service/inbox.ts';
import { capturePrintedLines, type PrintedLines } from '../../support/service/printed-lines.ts';
import { type Service, startService } from '../../support/service/service.ts';

const VARIABLES = { POWERTOOLS_LOG_LEVEL: 'ERROR', POWERTOOLS_METRICS_DISABLED: 'false' };
const before = Object.keys(VARIABLES).map((name) => [name, process.env[name]] as const);
const NAMESPACE = 'kube-system';
const OBJECT = `/apis/winnow.dev/v1/namespaces/${NAMESPACE}/canaries/canary`;

/** The functions whose invocations all fail. */
const dead = new Set<string>();

let service: Service;
let printed: PrintedLines;
let sqs: SQSClient;
let inbox: Inbox;

beforeAll(async () => {
  Object.assign(process.env, VARIABLES);
  printed = capturePrintedLines({ errors: true });
  const beforeInvoke = async (name: string) => {
    if (dead.has(name)) throw new Error(`${name} is dead`);
  };
  service = await startService({ canary: true, fault: { beforeInvoke }, retryDelay: 200 });
  sqs = new SQSClient({ ...service.winnow.sqsClientConfig, useQueueUrlAsEndpoint: false });
  inbox = service.inbox('canary', NAMESPACE);
  await inbox.synced();
  await told(1);
});

afterAll(async () => {
  sqs.destroy();
  await service.stop();
  printed.release();
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

afterEach(() => dead.clear());

/** Waits until the canary's queue holds `count` messages. */
async function told(count: number): Promise<void> {
  await eventually(`${count} messages`, async () => {
    const command = new GetQueueAttributesCommand({
      QueueUrl: inbox.queueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    });
    const { Attributes } = await sqs.send(command);
    return Number(Attributes?.ApproximateNumberOfMessages) >= count;
  });
}

/** Runs one beat. Returns its metrics, and the failed steps in its log. */
async function beat() {
  const [logs, metrics] = [printed.logs.length, printed.metrics.length];
  await service.winnow.invoke('canary', scheduledEvent('us-east-1'));
  const lines = printed.metrics.slice(metrics).filter((line) => 'CanarySuccess' in line);
  const failed = printed.logs.slice(logs).filter(({ message }) => message === 'the canary failed');
  return {
    success: lines.map(({ CanarySuccess }) => CanarySuccess),
    delays: lines.flatMap(({ CanaryDelay = [] }) => CanaryDelay).map(Number),
    failed: failed.map(({ step }) => step),
    why: failed.map(({ error }) => (error as Error).message).join(),
  };
}

describe('a canary in a deployment', () => {
  it('the canary finds the message of its last beat, and measures its delay', async () => {
    const { success, delays, failed } = await beat();
    expect([success, failed]).toEqual([[1], []]);
    expect(delays.length).toBeGreaterThan(0);
    for (const delay of delays) expect(delay).toBeLessThan(120_000);
    await told(1);
  });

  it("the canary's object and Subscription can be read like any others", async () => {
    const { body } = await service.http.get(OBJECT);
    expect(body).toMatchObject({
      apiVersion: 'winnow.dev/v1',
      kind: 'Canary',
      metadata: {
        labels: { 'winnow.dev/beat': expect.stringMatching(/^\d{13}$/) },
        managedFields: [expect.objectContaining({ manager: 'winnow-canary' })],
      },
    });
    const { body: listed } = await service.http.get('/apis/winnow.dev/v1/canaries');
    expect(listed.items).toHaveLength(1);
  });

  it('the canary fails at "deliver" while dispatch fails', async () => {
    dead.add('dispatch');
    expect(await beat()).toMatchObject({ success: [1], failed: [] });
    expect(await beat()).toMatchObject({
      success: [0],
      failed: ['deliver'],
      why: expect.stringContaining('was not delivered'),
    });
    dead.delete('dispatch');
    await told(2);
    const { success, delays, failed } = await beat();
    expect([success, failed, delays.length]).toEqual([[1], [], 2]);
    await told(1);
  });

  it('the canary fails at "deliver" while its queue is gone', async () => {
    const lost = inbox.queueUrl;
    await sqs.send(new DeleteQueueCommand({ QueueUrl: lost }));
    expect(await beat()).toMatchObject({
      success: [0],
      failed: ['deliver'],
      why: expect.stringMatching(/does not exist/i),
    });
    await inbox.synced(lost);
    await told(1);
    expect(await beat()).toMatchObject({ success: [1], failed: [] });
    await told(1);
  });

  it('the canary fails at "subscribe" while its Subscription is suspended', async () => {
    const path = inbox.path;
    const { body } = await service.http.get(path);
    await service.http.put(path, { ...body, spec: { ...(body.spec as object), suspend: true } });
    await eventually('it is suspended', async () => {
      const { status } = (await service.http.get(path)).body;
      return (status as { phase?: string }).phase === 'Suspended';
    });
    expect(await beat()).toMatchObject({ success: [0], failed: ['subscribe'] });
  });
});
