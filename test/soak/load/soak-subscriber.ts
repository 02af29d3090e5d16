import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Asked, ReceivedMessage, SubscriptionRecord } from '../../simulation/history.ts';
import { KnownObjects } from '../../simulation/known-objects.ts';
import { queuedEvent } from '../../simulation/queued-event.ts';
import { type SoakClient, snapshotIn } from './soak-client.ts';

const PAUSE = 500;
/** Seconds until a Subscription is synced, at most. */
const SYNCS = 600;

/** What a {@link SoakSubscriber} subscribes to. */
export interface WantedSubscription {
  readonly namespace: string;
  readonly name: string;
  readonly resource: { readonly group: string; readonly resource: string };
  readonly labelSelector: string;
  /** Of all namespaces; of its own by default. */
  readonly isOfAll?: boolean;
  readonly queueType: 'FIFO' | 'Standard';
  readonly verify: boolean;
  /** A path under which its objects are listed, one of which says how far the collection is. */
  readonly objects: string;
}

/** Subscribes with a snapshot and reads its queue, which outlives the service that fills it. */
export class SoakSubscriber {
  readonly wanted: WantedSubscription;
  /** Of each state that it was told. */
  readonly tokens = new Set<string>();
  readonly #client: SoakClient;
  readonly #sqs: SQSClient;
  readonly #known = new KnownObjects();
  readonly #messages: ReceivedMessage[] = [];
  #uid = '';
  #queueUrl = '';
  #acknowledgedAt: number | undefined;

  constructor(client: SoakClient, sqs: SQSClient, wanted: WantedSubscription) {
    this.#client = client;
    this.#sqs = sqs;
    this.wanted = wanted;
  }

  get name(): string {
    return `${this.wanted.namespace}/${this.wanted.name}`;
  }

  get path(): string {
    return `${subscriptionsIn(this.wanted.namespace)}/${this.wanted.name}`;
  }

  get messages(): readonly ReceivedMessage[] {
    return this.#messages;
  }

  /** Resolves when the Subscription is there. */
  async create(): Promise<void> {
    const { namespace, name, resource, labelSelector, queueType, verify, isOfAll = false } = this.wanted;
    const namespaces = isOfAll ? 'All' : 'Own';
    const spec = {
      resource,
      labelSelector,
      namespaces,
      queue: { type: queueType },
      start: 'snapshot',
      verify,
    };
    for (;;) {
      const body = { metadata: { name }, spec };
      const answer = await this.#client.send('POST', subscriptionsIn(namespace), body);
      if (answer?.status === 201 || answer?.status === 409) return;
      if (answer !== undefined && answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        throw new Error(`the Subscription ${this.name} is refused: ${JSON.stringify(answer.body)}`);
      }
      await sleep(PAUSE);
    }
  }

  /** Resolves when it is there and synced. */
  async subscribe(): Promise<void> {
    await this.create();
    for (let second = 0; second < SYNCS; second += 1) {
      const answer = await this.#client.send('GET', this.path);
      const objects = await this.#client.send('GET', `${this.wanted.objects}?limit=1`);
      if (answer?.status === 200 && objects?.status === 200) {
        const { resourceVersion } = metadataOf(objects.body);
        if (this.adopt(answer.body, Number(resourceVersion))) return;
      }
      await sleep(1_000);
    }
    throw new Error(`the Subscription ${this.name} is not synced within ${SYNCS} s`);
  }

  /**
   * Takes what its object says; false where it is not synced yet.
   *
   * @param head the resourceVersion of its collection at that time, or later.
   */
  adopt(object: JsonObject, head: number): boolean {
    const { phase, queueUrl } = objectAt(object.status ?? {});
    if (phase !== 'Synced') return false;
    this.#uid = String(metadataOf(object).uid);
    this.#queueUrl = String(queueUrl);
    this.#acknowledgedAt = head;
    return true;
  }

  /** Reads its queue until it is told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // What fails here is tried again: what was received and not deleted comes once more.
      await this.read(2, signal).catch(() => sleep(PAUSE));
    }
  }

  /** Reads its queue, where it knows one, until nothing is in it. */
  async drain(): Promise<void> {
    if (this.#queueUrl === '') return;
    while ((await this.read(0)) > 0);
  }

  record(): SubscriptionRecord {
    const { namespace, labelSelector, queueType, verify, isOfAll = false } = this.wanted;
    const asked: Asked = { ...(isOfAll ? {} : { namespace }), labelSelector };
    return {
      name: this.name,
      uid: this.#uid,
      asked,
      asks: [asked],
      queueType,
      start: 'snapshot',
      acknowledgedAt: this.#acknowledgedAt,
      disturbed: [],
      ...(verify && { verified: [] }),
      messages: this.#messages,
      cache: this.#known.cache,
    };
  }

  /** How many messages it read. */
  async read(WaitTimeSeconds: number, abortSignal?: AbortSignal): Promise<number> {
    const receive = new ReceiveMessageCommand({
      QueueUrl: this.#queueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await this.#sqs.send(receive, abortSignal === undefined ? {} : { abortSignal });
    if (Messages.length === 0) return 0;
    for (const message of Messages) this.#take(message);
    const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }));
    return Messages.length;
  }

  #take({ Body = '', MessageAttributes = {}, Attributes = {}, MessageId = '' }: Message): void {
    const told = JSON.parse(Body) as Parameters<typeof queuedEvent>[1] & JsonObject;
    const event = queuedEvent(this.#client.now, told, snapshotIn);
    const edit = Number(MessageAttributes.edit?.StringValue);
    const [sequence, set] = [MessageAttributes.sequence?.StringValue, MessageAttributes.set?.StringValue];
    this.#messages.push({
      event,
      edit,
      deduplication: Attributes.MessageDeduplicationId,
      messageId: MessageId,
      ...(sequence !== undefined && set !== undefined && { sequence: Number(sequence), set }),
    });
    this.#known.take(event, edit);
    if ('object' in event) this.tokens.add(event.object.token);
  }
}

export function subscriptionsIn(namespace: string): string {
  return `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions`;
}

/** A client of the embedded SQS at this endpoint. */
export function sqsAt(endpoint: string): SQSClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new SQSClient({ endpoint, region: 'us-east-1', credentials, useQueueUrlAsEndpoint: false });
}
