import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { prepareSubscription, validateSubscription } from '../../../lib/kubernetes/winnow/index.ts';
import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import { ACCOUNT, type Cluster, QUEUE_ARNS } from '../actors/cluster.ts';
import { insistOnObject, markDeleted } from '../actors/insist-on-object.ts';
import { keepReceiving } from '../actors/reader.ts';
import { RESOURCES } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Range } from '../world/chance.ts';
import type { Received } from '../world/queue.ts';
import type { ProofRecord } from './proof-record.ts';

const READS_WITHIN: Range = [1, 800];
const OWNERS = 'default';
const HEIRS = 'heirs';
/**
 * The namespaces of the strangers. Two strangers of one namespace share a row. One in the owner's namespace is a
 * stranger all the same.
 */
const STRANGERS = ['other', 'other', 'third', OWNERS];
/**
 * The chance that an owner leaves its queue to an heir, and that a stranger recreates its Subscription instead of
 * editing it.
 */
const [LEAVES, ANEW] = [0.5, 0.4];

/**
 * Starts the actors of queues of users. Each queue has an owner, which reads and proves it, and strangers, which try
 * to have tokens sent to it as often as they can. Some owners leave, and an heir in another namespace proves the
 * queue. Strangers leave at the end.
 */
export function liveWithProofs(cluster: Cluster, record: ProofRecord, scenario: Scenario): Promise<void>[] {
  record.follow(cluster.world);
  return Array.from({ length: scenario.provedQueues ?? 0 }, (_, at) => {
    const life = new ProvedQueue(cluster, record, at);
    return [
      life.own(scenario),
      ...STRANGERS.map((namespace, index) => life.press(scenario, namespace, index)),
    ];
  }).flat();
}

/** A queue of users, with all clients whose Subscriptions name it. */
class ProvedQueue {
  readonly #cluster: Cluster;
  readonly #name: string;
  readonly #arn: string;
  /** The namespace of the Subscription whose token the reader writes into its spec. */
  #home = OWNERS;
  #made = 0;

  constructor(cluster: Cluster, record: ProofRecord, at: number) {
    this.#cluster = cluster;
    this.#name = `q${at}`;
    this.#arn = `${QUEUE_ARNS}${this.#name}.fifo`;
    record.queues.push(this.#arn);
    const { queues } = cluster.world;
    const queue = queues.find(queues.create(`${ACCOUNT}/${this.#name}.fifo`));
    if (queue === undefined) throw new Error('there is no queue');
    const handle = (messages: readonly Received[]) => {
      for (const message of messages) {
        record.noteReceived(this.#arn, message);
        this.#prove(message);
        queue.delete(message.messageId);
      }
    };
    keepReceiving(cluster.world, { queue, within: READS_WITHIN, handle });
  }

  async own({ lasts }: Scenario): Promise<void> {
    const { scheduler, chance } = this.#cluster.world;
    await scheduler.sleep(chance.next() * lasts * 0.3);
    await this.#create(OWNERS, this.#name);
    if (!chance.chance(LEAVES)) return;
    await scheduler.sleep(lasts * 0.5);
    this.#home = HEIRS;
    await this.#leave(OWNERS, this.#name);
    await this.#create(HEIRS, this.#name);
  }

  async press({ lasts, edits }: Scenario, namespace: string, index: number): Promise<void> {
    const { scheduler, chance } = this.#cluster.world;
    const name = `${this.#name}-stranger${index}`;
    await scheduler.sleep(chance.next() * lasts * 0.1);
    await this.#create(namespace, name);
    for (let act = 0; act < edits; act += 1) {
      await scheduler.sleep((chance.next() * 2 * lasts * 0.8) / edits);
      if (scheduler.now > lasts) break;
      if (chance.chance(ANEW)) {
        await this.#leave(namespace, name);
        await this.#create(namespace, name);
      } else {
        await this.#change(namespace, name, (current) =>
          edited(current, { labelSelector: `absent!=n${act}` }),
        );
      }
    }
    await this.#leave(namespace, name);
  }

  /** Writes the token of the owner's or the heir's Subscription into its spec. */
  #prove({ body }: Received): void {
    const { type, object } = JSON.parse(body);
    if (type !== 'TOKEN') return;
    const { namespace, name } = objectAt(object.metadata);
    if (namespace !== this.#home || name !== this.#name) return;
    const queue = { arn: this.#arn, token: object.token };
    void this.#change(this.#home, this.#name, (current) => edited(current, { queue }));
  }

  async #create(namespace: string, name: string): Promise<void> {
    const { scheduler } = this.#cluster.world;
    const uid = `uid-of-${name}-${this.#made++}`;
    let isThere = false;
    // A deleted Subscription exists until reconcile has removed its finalizer.
    while (!isThere) {
      await this.#change(namespace, name, (current) => {
        isThere = current === undefined || current.uid === uid;
        return current === undefined ? created({ namespace, name, uid }, this.#arn) : { kind: 'none' };
      });
      if (!isThere) await scheduler.sleep(1_000);
    }
  }

  #leave(namespace: string, name: string): Promise<void> {
    return this.#change(namespace, name, (current) => markDeleted(current, this.#cluster.now));
  }

  #change(
    namespace: string,
    name: string,
    change: (current: ObjectState | undefined) => Mutation,
  ): Promise<void> {
    return insistOnObject(this.#cluster, { collection: SUBSCRIPTIONS, name: { namespace, name } }, change);
  }
}

function created(identity: JsonObject, arn: string): Mutation {
  const sent = {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { ...identity, generation: 1 },
    spec: { resource: { group: '', resource: 'pods' }, queue: { arn } },
  };
  const body = prepareSubscription(sent, undefined);
  const errors = validateSubscription(body, undefined, RESOURCES);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return { kind: 'put', body };
}

/** The edit of a Subscription. A repeated edit counts as one. */
function edited(current: ObjectState | undefined, change: JsonObject): Mutation {
  const metadata = metadataOf(current?.body ?? {});
  if (current === undefined || metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  const spec = { ...objectAt(current.body.spec), ...change };
  const generation = Number(metadata.generation) + 1;
  return { kind: 'put', body: { ...current.body, metadata: { ...metadata, generation }, spec } };
}
