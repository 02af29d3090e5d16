import { basename, dirname } from 'node:path/posix';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { JsonObject } from '../../../lib/json/index.ts';
import { eventually } from '../eventually.ts';
import type { HttpClient, KubernetesObject } from './http-client.ts';

export interface QueueEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
  /** The message's attributes. */
  readonly attributes: Readonly<Record<string, string>>;
  /** When SQS accepted the message, in ms since the epoch. */
  readonly sentAt: number;
}

export interface InboxOptions {
  readonly http: HttpClient;
  readonly sqs: SQSClientConfig;
  /** Of the Subscription. */
  readonly name: string;
  readonly namespace: string;
}

/** A subscriber: its Subscription, and all messages that its queue has given so far. */
export class Inbox {
  readonly events: QueueEvent[] = [];
  readonly path: string;
  readonly #http: HttpClient;
  readonly #sqs: SQSClient;
  readonly #closing = new AbortController();
  #queueUrl = '';
  #hear: ((event: QueueEvent) => void) | undefined;

  constructor({ http, sqs, name, namespace }: InboxOptions) {
    this.#http = http;
    this.#sqs = new SQSClient({ ...sqs, useQueueUrlAsEndpoint: false });
    this.path = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
  }

  /** Creates the Subscription and resolves once it is synced; its queue is not read before {@link read}. */
  async subscribe(spec: JsonObject): Promise<void> {
    const [collection, name] = [dirname(this.path), basename(this.path)];
    await this.#http.post(collection, { metadata: { name }, spec });
    await this.synced();
  }

  get queueUrl(): string {
    return this.#queueUrl;
  }

  get sqs(): SQSClient {
    return this.#sqs;
  }

  /** Waits until the Subscription is synced, with another queue than `before` where that is said. */
  async synced(before = ''): Promise<void> {
    this.#queueUrl = await eventually(`${this.path} is synced`, async () => {
      const { status } = (await this.#http.get(this.path)).body;
      const { phase, queueUrl } = (status ?? {}) as { phase?: string; queueUrl?: string };
      return phase === 'Synced' && queueUrl !== before && queueUrl;
    });
  }

  /** Starts to read the queue, and continues until {@link close}. Calls `hear` with each event. */
  read(hear?: (event: QueueEvent) => void): this {
    this.#hear = hear;
    void this.#readOn(this.#queueUrl);
    return this;
  }

  /** Waits until what was received so far satisfies `holds`. */
  async until(
    holds: (events: readonly QueueEvent[]) => boolean,
    within?: number,
  ): Promise<readonly QueueEvent[]> {
    const seen = () => this.events.map(describe).slice(-20).join(', ');
    return eventually(
      `${this.path} received what it must`,
      () => holds(this.events) && this.events,
      within,
    ).catch((error) => {
      throw new Error(`${error.message}; the last events were: ${seen() || '(none)'}`);
    });
  }

  /** Waits until an event about the named object at least as new as `rv` came, and so all before it. */
  async reached(rv: number, within?: number): Promise<readonly QueueEvent[]> {
    return this.until(
      (events) => events.some(({ object }) => Number(object.metadata.resourceVersion) >= rv),
      within,
    );
  }

  close(): void {
    this.#closing.abort();
    this.#sqs.destroy();
  }

  async #readOn(QueueUrl: string): Promise<void> {
    while (!this.#closing.signal.aborted && QueueUrl === this.#queueUrl) {
      try {
        await this.#take(QueueUrl);
      } catch (error) {
        // Closed, or the queue is gone: nothing is left to read.
        if (!this.#closing.signal.aborted && !String(error).includes('QueueDoesNotExist')) throw error;
        this.#queueUrl = this.#queueUrl === QueueUrl ? '' : this.#queueUrl;
      }
    }
  }

  async #take(QueueUrl: string): Promise<void> {
    const receive = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['SentTimestamp'],
    });
    const { Messages = [] } = await this.#sqs.send(receive, { abortSignal: this.#closing.signal });
    if (Messages.length === 0) return;
    const received = Messages.map(parse);
    this.events.push(...received);
    for (const event of received) this.#hear?.(event);
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/** `ADDED web-1`. */
export function describe({ type, object }: Pick<QueueEvent, 'type' | 'object'>): string {
  return object.metadata.name === undefined ? type : `${type} ${object.metadata.name}`;
}

function parse({ Body = '', MessageAttributes = {}, Attributes = {} }: Message): QueueEvent {
  const attributes = Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [
    name,
    StringValue,
  ]);
  const sentAt = Number(Attributes.SentTimestamp);
  return { ...JSON.parse(Body), attributes: Object.fromEntries(attributes), sentAt };
}
