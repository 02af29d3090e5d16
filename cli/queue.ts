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

/** A subscription's queue as anyone would read it, with the SQS SDK. */
export class Queue {
  readonly url: string;
  readonly #sqs: SQSClient;

  constructor(url: string, config: SQSClientConfig) {
    this.url = url;
    // Queue URLs name a host of their own; a local one is reached through its endpoint.
    this.#sqs = new SQSClient({ ...config, useQueueUrlAsEndpoint: false });
  }

  /** The next events, in order; none when there was none within `seconds`, 20 at most. */
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
