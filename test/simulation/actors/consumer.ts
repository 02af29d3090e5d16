import { type JsonObject, objectAt, stateOf } from '../../../lib/store/index.ts';
import type { ReceivedMessage, Snapshot, WatchedEvent } from '../history.ts';
import type { Range } from '../world/chance.ts';
import type { Received, SimulatedQueue } from '../world/queue.ts';
import type { Cluster } from './cluster.ts';
import { snapshotOf } from './pods.ts';
import { keepReceiving } from './reader.ts';

/** How likely a consumer dies over a batch: what it had not deleted by then comes again, in order. */
const DIES = 0.03;
const READS_WITHIN: Range = [1, 800];

interface Version {
  readonly edit: number;
  readonly rv: number;
}

/**
 * A subscriber as the documentation tells it to be: the newest event of each object wins, by edit and resourceVersion,
 * and an ERROR 410 forgets what is of lower edits. A new queue begins with a snapshot, so it forgets all then.
 */
export class Consumer {
  readonly messages: ReceivedMessage[] = [];
  readonly #cluster: Cluster;
  readonly #versions = new Map<string, Version>();
  readonly #objects = new Map<string, Snapshot>();
  #url = '';
  /** What is of a lower edit was forgotten, and does not come back. */
  #floor = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get cache(): Snapshot[] {
    return [...this.#objects.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
  }

  get url(): string {
    return this.#url;
  }

  /** Reads from this queue from now on. */
  follow(url: string): void {
    if (url === this.#url || url === '') return;
    this.#url = url;
    this.#forget();
    const { world } = this.#cluster;
    const queue = world.queues.find(url);
    if (queue === undefined) return;
    const handle = (messages: readonly Received[]) => {
      // A consumer that found another queue leaves the old one alone.
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
    const event = eventOf(this.#cluster.now, JSON.parse(body));
    const edit = Number(attributes?.edit);
    this.messages.push({ event, edit, deduplication, messageId: `${this.#url} ${messageId}`, sentAt });
    if (event.type === 'ERROR') {
      this.#forgetBelow(edit);
    } else if (event.type !== 'BOOKMARK') this.#fold(event, edit);
  }

  #fold({ type, object }: Extract<WatchedEvent, { object: Snapshot }>, edit: number): void {
    const known = this.#versions.get(object.object) ?? { edit: this.#floor, rv: 0 };
    if (edit < known.edit || (edit === known.edit && object.rv <= known.rv)) return;
    this.#versions.set(object.object, { edit, rv: object.rv });
    if (type === 'DELETED') {
      this.#objects.delete(object.object);
    } else {
      this.#objects.set(object.object, object);
    }
  }

  #forget(): void {
    this.#floor = 0;
    this.#versions.clear();
    this.#objects.clear();
  }

  #forgetBelow(edit: number): void {
    this.#floor = Math.max(this.#floor, edit);
    for (const [object, version] of this.#versions) {
      if (version.edit >= edit) continue;
      this.#versions.delete(object);
      this.#objects.delete(object);
    }
  }
}

function eventOf(
  at: number,
  { type, object }: { type: WatchedEvent['type']; object: JsonObject },
): WatchedEvent {
  const { namespace, name, resourceVersion, annotations } = objectAt(object.metadata);
  const rv = Number(resourceVersion);
  if (type === 'BOOKMARK') {
    const { 'k8s.io/initial-events-end': initial, 'winnow.dev/generation': generation } =
      objectAt(annotations);
    return { at, type, rv, ends: initial === 'true' ? 'snapshot' : 'edit', generation: Number(generation) };
  }
  if (type === 'ERROR') return { at, type, reason: 'gone' };
  const state = stateOf({ namespace: String(namespace), name: String(name) }, rv, object);
  return { at, type, object: snapshotOf(state) };
}
