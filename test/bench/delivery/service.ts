import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { HttpClient } from '../../support/service/http-client.ts';
import type { QueueFaults } from './faulty-queues.ts';
import type { ServiceCpu, ServiceFlag, ServiceOrder, ServiceReady } from './service-process.ts';

export interface BenchedService {
  readonly http: HttpClient;
  readonly sqs: SQSClientConfig;
  readonly dynamodb: DynamoDBClientConfig;
  /** CPU time of its process so far, in ms: all functions, the front door and SQS, not the database. */
  cpu(): Promise<number>;
  /** Has queues stall and refuse from now on, where it was started with `faulty`. */
  fail(faults: QueueFaults): Promise<void>;
  stop(): Promise<void>;
}

const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Starts a local Winnow in a process of its own, which logs as little as an answer needs. */
export async function startBenched(...flags: readonly ServiceFlag[]): Promise<BenchedService> {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), flags, {
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR', POWERTOOLS_METRICS_DISABLED: 'true' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const died = ended.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`)));
  died.catch(() => {});
  const [ready] = (await Promise.race([once(child, 'message'), died])) as [ServiceReady];
  const order = async (sent: ServiceOrder) => {
    child.send(sent);
    const [answer] = (await Promise.race([once(child, 'message'), died])) as [ServiceCpu];
    return answer;
  };
  return {
    http: new HttpClient(ready.url),
    sqs: { ...ready.sqs, credentials: CREDENTIALS },
    dynamodb: { ...ready.dynamodb, credentials: CREDENTIALS },
    cpu: async () => (await order('cpu')).cpu,
    fail: async (faults) => void (await order(faults)),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
