import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type JsonObject, metadataOf, objectAt } from '../../lib/store/index.ts';
import type { Asked, ReceivedMessage, SubscriptionRecord } from '../simulation/history.ts';
import { KnownObjects } from '../simulation/known-objects.ts';
import { queuedEvent } from '../simulation/queued-event.ts';
import { PODS, type SoakClient, snapshotIn } from './soak-client.ts';

const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const PAUSE = 500;
/** Seconds until a Subscription is synced, at most. */
const SYNCS = 600;

/** What a {@link SoakSubscriber} subscribes to. */
export interface WantedSubscription {
  readonly name: string;
  readonly labelSelector: string;
  readonly queueType: 'FIFO' | 'Standard';
  readonly verify: boolean;
}

/** Subscribes with a snapshot and reads its queue, which outlives the service that fills it. */
export class SoakSubscriber {
  readonly #client: SoakClient;
  readonly #sqs: SQSClient;
  readonly #wanted: WantedSubscription;
  readonly #known = new KnownObjects();
  readonly #messages: ReceivedMessage[] = [];
  #uid = '';
  #queueUrl = '';
  #acknowledgedAt: number | undefined;

  constructor(client: SoakClient, { endpoint }: { readonly endpoint: string }, wanted: WantedSubscription) {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    this.#client = client;
    this.#sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials, useQueueUrlAsEndpoint: false });
    this.#wanted = wanted;
  }

  /** Resolves when it is synced. */
  async subscribe(): Promise<void> {
    const { name, labelSelector, queueType, verify } = this.#wanted;
    const resource = { group: '', resource: 'pods' };
    const spec = { resource, labelSelector, queue: { type: queueType }, start: 'snapshot', verify };
    await this.#client.send('POST', SUBSCRIPTIONS, { metadata: { name }, spec });
    for (let second = 0; second < SYNCS; second += 1) {
      if (await this.#isSynced()) return;
      await sleep(1_000);
    }
    throw new Error(`the Subscription ${name} is not synced within ${SYNCS} s`);
  }

  /** Reads its queue until it is told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // What fails here is tried again: what was received and not deleted comes once more.
      await this.#read(signal).catch(() => sleep(PAUSE));
    }
    this.#sqs.destroy();
  }

  record(): SubscriptionRecord {
    const { name, labelSelector, queueType, verify } = this.#wanted;
    const asked: Asked = { namespace: 'default', labelSelector };
    return {
      name: `default/${name}`,
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

  async #isSynced(): Promise<boolean> {
    const answer = await this.#client.send('GET', `${SUBSCRIPTIONS}/${this.#wanted.name}`);
    if (answer?.status !== 200) return false;
    const { phase, queueUrl } = objectAt(answer.body.status ?? {});
    if (phase !== 'Synced') return false;
    const pods = await this.#client.send('GET', `${PODS}?limit=1`);
    if (pods?.status !== 200) return false;
    this.#uid = String(metadataOf(answer.body).uid);
    this.#queueUrl = String(queueUrl);
    this.#acknowledgedAt = Number(metadataOf(pods.body).resourceVersion);
    return true;
  }

  async #read(abortSignal: AbortSignal): Promise<void> {
    const receive = new ReceiveMessageCommand({
      QueueUrl: this.#queueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 2,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await this.#sqs.send(receive, { abortSignal });
    if (Messages.length === 0) return;
    for (const message of Messages) this.#take(message);
    const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
    await this.#sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }));
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
  }
}
