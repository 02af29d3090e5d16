import { createReconciler } from '../../../lib/controllers/reconcile/index.ts';
import type { Reconciler } from '../../../lib/controllers/reconcile/reconcile.ts';
import { createHints, type Hints, type Queues } from '../../../lib/coordination/index.ts';
import {
  createDispatcher,
  type Dispatcher,
  defaultRules,
  type SubscribingRules,
} from '../../../lib/delivery/index.ts';
import { type Collection, isJsonObject, type JsonObject, type ObjectName } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import {
  collections,
  namespacedCollections,
  targetResources,
} from '../../../lib/kubernetes/resource-types/index.ts';
import { prepareSubscription, validateSubscription } from '../../../lib/kubernetes/winnow/index.ts';
import {
  type AuthorLife,
  type Clock,
  type Logger,
  type MetricName,
  type Metrics,
  type Random,
  systemRandom,
} from '../../../lib/platform/index.ts';
import { definitionStatuses, openAuthority } from '../../../lib/server/index.ts';
import {
  createStore,
  type ObjectState,
  type Row,
  type Store,
  subscriptionKey,
  subscriptionsPartition,
  type Table,
} from '../../../lib/store/index.ts';
import { Consumer } from '../service/consumer.ts';
import { Faults } from './faults.ts';
import type { TestQueues } from './memory-queues.ts';

export const QUEUE_PREFIX = 'winnow-subscription-';
const ACCOUNT = '111122223333';
export const QUEUE_ARNS = `arn:aws:sqs:eu-central-1:${ACCOUNT}:`;
/** What queues of users have to be tagged with. */
export const CLUSTER_ID = 'winnow-0123';
/** Another account that may receive. */
export const OTHER_ACCOUNT = '444455556666';
export const PODS: Collection = 'core/pods';

export interface WatchWorldOptions {
  readonly table: Table;
  readonly queues: TestQueues;
  readonly clock: Clock;
  readonly random?: Random;
  /** How long delivery lasts for a user who is not seen; 30 days by default. */
  readonly authorLife?: AuthorLife | undefined;
  /** Subscriptions of one dispatcher before its group is split. */
  readonly groupSize?: number;
  /** The most bytes of a row; larger bodies are divided. */
  readonly mostRowBytes?: number;
  /** Whether dispatch has work for all collections, as where data is derived. */
  readonly followsAll?: boolean;
  /** What a function may reach of the table and the queues; all of them by default. */
  readonly reach?: (owner: Owner, outside: Outside, world: WatchWorld) => Outside;
}

export type Owner = 'dispatch' | 'reconcile';

export interface Outside {
  readonly table: Table;
  readonly queues: Queues;
}

export interface Problem {
  readonly message: string;
  readonly data: Record<string, unknown> | undefined;
}

export interface Measurement {
  readonly metric: MetricName;
  readonly value: number;
}

/** Dispatch and reconcile with their two queues, and who uses them. Nothing runs by itself: see {@link pump}. */
export class WatchWorld {
  readonly table: Table;
  readonly queues: TestQueues;
  readonly clock: Clock;
  readonly random: Random;
  readonly faults = new Faults();
  /** The store of whoever writes: without faults. */
  readonly store: Store;
  readonly hints: Hints;
  readonly eventQueueUrl: string;
  readonly reconcileQueueUrl: string;
  /** What the code logged as a warning or an error, and what for information. */
  readonly problems: Problem[] = [];
  readonly told: Problem[] = [];
  /** What the code measured. */
  readonly measured: Measurement[] = [];
  /** What dispatch and reconcile threw. */
  readonly errors: unknown[] = [];
  /** What Subscriptions may ask for; for a reconciler that is made later. */
  rules: SubscribingRules = {
    ...defaultRules(ACCOUNT),
    bound: { kind: 'accounts', accounts: [OTHER_ACCOUNT] },
  };
  /** Whether dispatch has work for all collections; for a dispatcher and a reconciler that are made later. */
  followsAll: boolean | undefined;
  dispatcher: Dispatcher;
  reconciler: Reconciler;
  readonly #groupSize: number | undefined;
  readonly #mostRowBytes: number | undefined;
  readonly #authorLife: AuthorLife | undefined;
  readonly #reach: NonNullable<WatchWorldOptions['reach']>;
  readonly #consumers = new Map<string, { readonly queueUrl: string; readonly consumer: Consumer }>();

  static async create(options: WatchWorldOptions): Promise<WatchWorld> {
    const name = (options.random ?? systemRandom).suffix(8);
    const fifo = { attributes: { FifoQueue: 'true' }, tags: {} };
    const urls = await Promise.all(
      ['events', 'reconcile'].map((queue) => options.queues.create(`${queue}-${name}.fifo`, fifo)),
    );
    return new WatchWorld(options, urls[0] ?? '', urls[1] ?? '');
  }

  private constructor(options: WatchWorldOptions, eventQueueUrl: string, reconcileQueueUrl: string) {
    this.table = options.table;
    this.queues = options.queues;
    this.clock = options.clock;
    this.random = options.random ?? systemRandom;
    this.#groupSize = options.groupSize;
    this.followsAll = options.followsAll;
    this.#mostRowBytes = options.mostRowBytes;
    this.#authorLife = options.authorLife;
    this.#reach = options.reach ?? ((_owner, outside) => outside);
    this.eventQueueUrl = eventQueueUrl;
    this.reconcileQueueUrl = reconcileQueueUrl;
    this.store = this.newStore();
    this.hints = this.#newHints({ queues: this.queues, logger: this.#logger() });
    this.dispatcher = this.newDispatcher();
    this.reconciler = this.newReconciler();
  }

  /** A store that remembers nothing. */
  newStore(): Store {
    return createStore({ ...this.#outside(), table: this.table });
  }

  newDispatcher(groupSize = this.#groupSize): Dispatcher {
    const { reconcileQueueUrl } = this;
    const inside = this.#inside('dispatch');
    const hints = this.#newHints(inside);
    return createDispatcher({
      ...inside,
      hints,
      reconcileQueueUrl,
      resources: targetResources,
      authority: openAuthority({ clock: this.clock, life: this.#authorLife }),
      groupSize,
      followsAll: this.followsAll,
    });
  }

  newReconciler(): Reconciler {
    const inside = this.#inside('reconcile');
    const hints = this.#newHints(inside);
    const { reconcileQueueUrl } = this;
    const names = {
      reconcileQueueUrl,
      queuePrefix: QUEUE_PREFIX,
      queueArns: QUEUE_ARNS,
      rules: this.rules,
      clusterId: CLUSTER_ID,
      collections,
      namespacedCollections,
    };
    return createReconciler({
      ...inside,
      internalQueueUrls: [withAccount(reconcileQueueUrl), withAccount(this.eventQueueUrl)],
      ...names,
      hints,
      followsAll: this.followsAll,
      resources: targetResources,
      authority: openAuthority({ clock: this.clock, life: this.#authorLife }),
      definitions: definitionStatuses(this.clock, hints),
    });
  }

  #newHints({ queues, logger }: { queues: Queues; logger: Logger }): Hints {
    const followsAll = this.followsAll;
    return createHints({ queues, queueUrl: this.eventQueueUrl, logger, followsAll });
  }

  /** Handles all messages of both queues, and those that that makes. One that fails does not come again. */
  async pump(): Promise<void> {
    for (let idle = false; !idle; ) {
      const hints = await this.queues.drain(this.eventQueueUrl);
      for (const { body } of hints) await this.handle(() => this.dispatcher.dispatch(JSON.parse(body)));
      const messages = await this.queues.drain(this.reconcileQueueUrl);
      for (const { body } of messages) await this.handle(() => this.reconciler.reconcile(JSON.parse(body)));
      idle = hints.length + messages.length === 0;
    }
  }

  /** One invocation: a crash ends it, and the next is another process. */
  async handle(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.errors.push(error);
    }
    await this.faults.reboot();
  }

  /** Writes an object, named `<namespace>/<name>`, and hints at it if the collection is followed. */
  async put(
    name: string,
    labels: Readonly<Record<string, string>> = {},
    more: JsonObject = {},
    collection = PODS,
  ): Promise<number> {
    const kind = targetResources.of(collection)?.kind ?? '';
    return this.write(collection, nameOf(name), (current) => ({
      kind,
      ...more,
      metadata: {
        uid: this.random.uuid(),
        ...metadataOf(current),
        ...(isJsonObject(more.metadata) ? more.metadata : {}),
        ...nameOf(name),
        labels: { ...labels },
      },
    }));
  }

  async remove(name: string, collection = PODS): Promise<number> {
    return this.#commit(collection, nameOf(name), (current) => ({
      kind: 'delete',
      body: current?.body ?? {},
    }));
  }

  async write(
    collection: Collection,
    name: ObjectName,
    next: (current: ObjectState | undefined) => JsonObject,
  ): Promise<number> {
    return this.#commit(collection, name, (current) => ({ kind: 'put', body: next(current) }));
  }

  /** Creates a Subscription to pods in `default`, as the API would; told when where `at` says so. */
  async subscribe(name: string, spec: JsonObject = {}, at?: number): Promise<void> {
    const told: JsonObject = at === undefined ? {} : { creationTimestamp: new Date(at).toISOString() };
    const metadata = { ...nameOf(`default/${name}`), uid: this.random.uuid(), generation: 1, ...told };
    const resource = { group: '', resource: 'pods' };
    const sent = { apiVersion: 'winnow.dev/v1', kind: 'Subscription', metadata, spec: { resource, ...spec } };
    const body = prepareSubscription(sent, undefined);
    const errors = validateSubscription(body, undefined, targetResources);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    await this.write(SUBSCRIPTIONS, nameOf(`default/${name}`), () => body);
  }

  async edit(name: string, change: JsonObject): Promise<void> {
    await this.write(SUBSCRIPTIONS, nameOf(`default/${name}`), (current): JsonObject => {
      const spec = current?.body.spec;
      const metadata = metadataOf(current);
      const generation = Number(metadata.generation) + 1;
      const edited = { ...(isJsonObject(spec) ? spec : {}), ...change };
      return { ...current?.body, metadata: { ...metadata, generation }, spec: edited };
    });
  }

  /** Deletes a Subscription, as the API would: its finalizer holds it. */
  async unsubscribe(name: string): Promise<void> {
    await this.write(SUBSCRIPTIONS, nameOf(`default/${name}`), (current) => ({
      ...current?.body,
      metadata: { ...metadataOf(current), deletionTimestamp: new Date(this.clock.now()).toISOString() },
    }));
  }

  subscription(name: string): Promise<ObjectState | undefined> {
    return this.store.get(SUBSCRIPTIONS, nameOf(`default/${name}`));
  }

  async statusOf(name: string): Promise<Record<string, unknown>> {
    const status = (await this.subscription(name))?.body.status;
    return isJsonObject(status) ? status : {};
  }

  async queueOf(name: string): Promise<string> {
    return String((await this.statusOf(name)).queueUrl ?? '');
  }

  /** A subscription's state row. */
  async rowOf(name: string, collection = PODS): Promise<Row | undefined> {
    const object = await this.subscription(name);
    return object && this.table.get(subscriptionKey(collection, object.uid));
  }

  async states(collection = PODS): Promise<readonly Row[]> {
    const partition = subscriptionsPartition(collection);
    return (await this.table.query({ partition, from: '!', to: '~' })).rows;
  }

  /** The consumer of a subscription, with all read that is there. A new queue has a new consumer. */
  async consume(name: string): Promise<Consumer> {
    const queueUrl = await this.queueOf(name);
    const known = this.#consumers.get(name);
    const consumer = known?.queueUrl === queueUrl ? known.consumer : new Consumer();
    this.#consumers.set(name, { queueUrl, consumer });
    if (queueUrl !== '') consumer.read(await this.queues.drain(queueUrl));
    return consumer;
  }

  async #commit(...[collection, name, change]: Parameters<Store['write']>): Promise<number> {
    const { after, isFollowed } = await this.store.write(collection, name, change);
    await this.hints.announce(collection, after?.rv ?? 0, undefined, isFollowed);
    return after?.rv ?? 0;
  }

  #outside() {
    const { clock, random } = this;
    const mostRowBytes = this.#mostRowBytes;
    return { clock, random, logger: this.#logger(), metrics: this.#metrics(), mostRowBytes };
  }

  /** What the code under test gets: everything it calls can fail. A store of its own each: caches die with it. */
  #inside(owner: Owner) {
    const reached = this.#reach(owner, { table: this.table, queues: this.queues }, this);
    const table = this.faults.around('table', reached.table);
    const queues = this.faults.around<Queues>('queues', this.faults.aroundSends(reached.queues));
    return { ...this.#outside(), table, queues, store: createStore({ ...this.#outside(), table }) };
  }

  #metrics(): Metrics {
    return { record: (metric, value) => this.measured.push({ metric, value }) };
  }

  #logger(): Logger {
    const noteIn = (list: Problem[]) => (message: string, data?: Record<string, unknown>) =>
      list.push({ message, data });
    const note = noteIn(this.problems);
    return { debug: () => {}, info: noteIn(this.told), warn: note, error: note };
  }
}

export function nameOf(text: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

export function metadataOf(state: ObjectState | undefined): JsonObject {
  const metadata = state?.body.metadata;
  return isJsonObject(metadata) ? metadata : {};
}

/** A URL in memory may have no account. */
function withAccount(url: string): string {
  return url.replace(/^memory:\/\/(?=[^/]+$)/, `memory://${ACCOUNT}/`);
}
