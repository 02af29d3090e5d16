import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { KubernetesObject } from './client.ts';

export interface ReceivedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** A consumer of a subscription's queue that uses only the SQS SDK. */
export class Queue {
  readonly url: string;
  readonly #sqs: SQSClient;

  constructor(url: string, config: SQSClientConfig) {
    this.url = url;
    // A queue URL names a host of its own, but a local queue is reached through the configured endpoint.
    this.#sqs = new SQSClient({ ...config, useQueueUrlAsEndpoint: false });
  }

  /**
   * Receives and deletes up to ten events, in order. Returns an empty list if no event arrives within
   * `seconds`, which is at most 20.
   */
  async receive(seconds: number, signal?: AbortSignal): Promise<ReceivedEvent[]> {
    const options = signal === undefined ? {} : { abortSignal: signal };
    const { Messages = [] } = await this.#sqs.send(
      new ReceiveMessageCommand({ QueueUrl: this.url, MaxNumberOfMessages: 10, WaitTimeSeconds: seconds }),
      options,
    );
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.url, Entries }), options);
    }
    return Messages.map(({ Body = '' }) => JSON.parse(Body));
  }

  close(): void {
    this.#sqs.destroy();
  }
}
