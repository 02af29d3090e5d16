import { type CanaryOptions, createCanary } from '../../../lib/controllers/canary/index.ts';
import type { Received } from '../../../lib/coordination/inbox.ts';
import { createHints, type Inbox, type Queues } from '../../../lib/coordination/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { CANARY, type MetricName } from '../../../lib/platform/index.ts';
import { createStore, type ObjectState, type Store, type Table } from '../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts';

/** What the canary may reach; all of it by default. */
export interface CanaryReach {
  readonly table?: (table: Table, memory: MemoryWorld) => Table;
  readonly queues?: (queues: Queues, memory: MemoryWorld) => Queues;
  readonly inbox?: (inbox: Inbox, memory: MemoryWorld) => Inbox;
}

const { collection, namespace, name } = CANARY;
const BEAT = 'winnow.dev/beat';

/** A canary beside dispatch and reconcile, all in memory. */
export class CanaryWorld {
  readonly memory: MemoryWorld;
  /** What the canary's store says instead. */
  faults: Partial<Pick<Store, 'get' | 'write' | 'list'>> = {};
  /** How long messages take to get into their queue. */
  delay = 0;
  #failed: { readonly step: unknown; readonly error: unknown }[] = [];
  #measured: (readonly [MetricName, number])[] = [];
  readonly #canary: ReturnType<typeof createCanary>;

  static async create(reach: CanaryReach = {}): Promise<CanaryWorld> {
    const memory = await createMemoryWorld();
    await memory.world.put(`/${namespace}`, {}, {}, 'core/namespaces');
    await memory.pump();
    return new CanaryWorld(memory, reach);
  }

  private constructor(memory: MemoryWorld, reach: CanaryReach) {
    this.memory = memory;
    const { world } = memory;
    const { clock, random } = world;
    const logger: CanaryOptions['logger'] = {
      debug: () => {},
      info: () => {},
      warn: (message) => world.errors.push(message),
      error: (_message, { step, error } = {}) => this.#failed.push({ step, error }),
    };
    const metrics: CanaryOptions['metrics'] = {
      record: (metric, value) => this.#measured.push([metric, value]),
    };
    const table = reach.table?.(world.table, memory) ?? world.table;
    const queues = reach.queues?.(world.queues, memory) ?? world.queues;
    const inbox = reach.inbox?.(this.#inbox(), memory) ?? this.#inbox();
    const outside = { clock, random, logger, metrics };
    const hints = createHints({ queues, queueUrl: world.eventQueueUrl, logger });
    const store = this.#faulty(createStore({ ...outside, table }));
    this.#canary = createCanary({ ...outside, store, hints, inbox });
  }

  /** One beat: what it measured, and the steps that failed, each with what it said. */
  async beat(queuesLost = false): Promise<{ measured: Record<string, number>; failed: string[] }> {
    const { clock } = this.memory;
    [this.#failed, this.#measured] = [[], []];
    await clock.during(this.#canary.beat({ signal: new AbortController().signal, queuesLost }));
    return {
      measured: Object.fromEntries(this.#measured),
      failed: this.#failed.map(
        ({ step, error }) => `${step}: ${error instanceof Error ? error.message : error}`,
      ),
    };
  }

  /** A minute goes by, in which all that there is to do is done. */
  async minute(): Promise<void> {
    await this.memory.pump();
    this.memory.clock.advance(60_000);
  }

  async queueUrl(): Promise<string> {
    const { status } = (await this.subscription())?.body ?? {};
    return String((status as Record<string, unknown> | undefined)?.queueUrl);
  }

  subscription(): Promise<ObjectState | undefined> {
    return this.memory.world.store.get(SUBSCRIPTIONS, { namespace, name });
  }

  object(): Promise<ObjectState | undefined> {
    return this.memory.world.store.get(collection, { namespace, name });
  }

  #faulty(store: Store): Store {
    return {
      ...store,
      within: (signal, origin) => this.#faulty(store.within(signal, origin)),
      get: (...asked) => (this.faults.get ?? store.get)(...asked),
      write: (...asked) => (this.faults.write ?? store.write)(...asked),
      list: (...asked) => (this.faults.list ?? store.list)(...asked),
    };
  }

  /** Ten at a time, as SQS. It takes what it receives: nobody dies between that and deleting it. */
  #inbox(): Inbox {
    const { world, queues } = this.memory;
    const waiting: Received[] = [];
    return {
      receive: async (url) => {
        if (!queues.urls().includes(url)) throw new Error(`there is no queue ${url}`);
        for (const { body } of await world.queues.drain(url)) {
          const beat = JSON.parse(body).object?.metadata?.labels?.[BEAT] ?? 0;
          waiting.push({ body, sentAt: Number(beat) + this.delay, receipt: '' });
        }
        return waiting.splice(0, 10);
      },
      delete: async () => {},
    };
  }
}
