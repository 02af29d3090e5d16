import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { stateOf } from '../../../lib/store/index.ts';
import type { ReceivedMessage, Snapshot } from '../history.ts';
import { KnownObjects } from '../known-objects.ts';
import { queuedEvent } from '../queued-event.ts';
import type { Range } from '../world/chance.ts';
import type { Received, SimulatedQueue } from '../world/queue.ts';
import type { Cluster } from './cluster.ts';
import { snapshotOf } from './pods.ts';
import { keepReceiving } from './reader.ts';

/** The chance that a consumer dies during a batch. The messages that it had not deleted come again, in order. */
const DIES = 0.03;
const READS_WITHIN: Range = [1, 800];

/**
 * A subscriber that follows the documentation. A new queue begins with a snapshot, so the subscriber then forgets
 * everything.
 */
export class Consumer {
  readonly messages: ReceivedMessage[] = [];
  readonly #cluster: Cluster;
  readonly #known = new KnownObjects();
  #url = '';

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get cache(): Snapshot[] {
    return this.#known.cache;
  }

  get url(): string {
    return this.#url;
  }

  /** Reads from this queue from now on. */
  follow(url: string): void {
    if (url === this.#url || url === '') return;
    this.#url = url;
    this.#known.forget();
    const { world } = this.#cluster;
    const queue = world.queues.find(url);
    if (queue === undefined) return;
    const handle = (messages: readonly Received[]) => {
      // A consumer that found another queue ignores the old one.
      if (url === this.#url) this.#read(queue, messages);
    };
    keepReceiving(world, { queue, within: READS_WITHIN, handle });
  }

  #read(queue: SimulatedQueue, messages: readonly Received[]): void {
    const { chance } = this.#cluster.world;
    const deleted = chance.chance(DIES) ? chance.below(messages.length + 1) : messages.length;
    for (const message of messages) this.#take(message);
    for (const { messageId } of messages.slice(0, deleted)) queue.delete(messageId);
  }

  #take({ body, attributes, deduplication, messageId, sentAt }: Received): void {
    const event = queuedEvent(this.#cluster.now, JSON.parse(body), podIn);
    const edit = Number(attributes?.edit);
    const { sequence, set } = attributes ?? {};
    const proof = sequence === undefined || set === undefined ? {} : { sequence: Number(sequence), set };
    const received = { event, edit, deduplication, messageId: `${this.#url} ${messageId}`, sentAt };
    this.messages.push({ ...received, ...proof });
    this.#known.take(event, edit);
  }
}

function podIn(object: JsonObject): Snapshot {
  const { namespace, name, resourceVersion } = objectAt(object.metadata);
  const identity = { namespace: String(namespace), name: String(name) };
  return snapshotOf(stateOf(identity, Number(resourceVersion), object));
}
