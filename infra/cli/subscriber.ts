import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { Client, KubernetesObject } from './client.ts';

export interface ReceivedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** A subscriber as anyone would write one: it knows the API's URL and the SQS SDK. */
export class Subscriber {
  readonly #sqs: SQSClient;
  readonly #client: Client;
  #queueUrl = '';

  constructor(client: Client, config: SQSClientConfig) {
    this.#client = client;
    // Queue URLs name a host of their own; a local one is reached through its endpoint.
    this.#sqs = new SQSClient({ ...config, useQueueUrlAsEndpoint: false });
  }

  get queueUrl(): string {
    return this.#queueUrl;
  }

  /** Creates the Subscription and waits, 30 seconds at most, until its changes are sent as they happen. */
  async subscribe(subscription: KubernetesObject): Promise<void> {
    await this.#client.apply(subscription);
    const path = `${await this.#client.collectionPath(subscription)}/${subscription.metadata.name}`;
    for (const end = Date.now() + 30_000; ; await sleep(100)) {
      const { status } = await this.#client.ask('GET', path);
      const { phase, queueUrl } = (status ?? {}) as { phase?: string; queueUrl?: string };
      this.#queueUrl = queueUrl ?? '';
      if (phase === 'Synced') return;
      if (Date.now() > end)
        throw new Error(`the subscription is ${phase ?? 'not reconciled'} after 30 seconds`);
    }
  }

  /** The next events, in order; none when there was none within `seconds`. */
  async receive(seconds: number): Promise<ReceivedEvent[]> {
    const { Messages = [] } = await this.#sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#queueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: seconds,
      }),
    );
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }));
    }
    return Messages.map(({ Body = '' }) => JSON.parse(Body));
  }

  close(): void {
    this.#sqs.destroy();
  }
}
