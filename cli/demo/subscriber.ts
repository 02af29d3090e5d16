import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Client, KubernetesObject } from '../client.ts';
import { Queue, type ReceivedEvent } from '../queue.ts';

/** A consumer of a Subscription that uses only the API's URL and the SQS SDK. */
export class Subscriber {
  readonly #client: Client;
  readonly #config: SQSClientConfig;
  #queue: Queue | undefined;

  constructor(client: Client, config: SQSClientConfig) {
    this.#client = client;
    this.#config = config;
  }

  get queue(): Queue {
    if (this.#queue === undefined) throw new Error('subscribe() was not called');
    return this.#queue;
  }

  /** Creates the Subscription, and waits at most two minutes until it is Synced. */
  async subscribe(subscription: KubernetesObject): Promise<void> {
    await this.#client.apply(subscription);
    const path = `${await this.#client.collectionPath(subscription)}/${subscription.metadata.name}`;
    for (const end = Date.now() + 120_000; ; await sleep(100)) {
      const { status } = await this.#client.ask('GET', path);
      const { phase, queueUrl = '' } = (status ?? {}) as { phase?: string; queueUrl?: string };
      if (phase === 'Synced') {
        this.#queue = new Queue(queueUrl, this.#config);
        return;
      }
      if (Date.now() > end) {
        throw new Error(`the subscription is ${phase ?? 'not reconciled'} after 120 seconds`);
      }
    }
  }

  /** As {@link Queue.receive}. */
  receive(seconds: number): Promise<ReceivedEvent[]> {
    return this.queue.receive(seconds);
  }

  close(): void {
    this.#queue?.close();
  }
}
