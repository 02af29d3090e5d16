import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Violation } from '../simulation/checks/index.ts';
import { selectorOf } from '../simulation/checks/naive-selector.ts';
import type { Asked, Listing, Operation, Snapshot } from '../simulation/history.ts';
import type { SoakClient } from './soak-client.ts';
import { keepListing, list, SoakInformer } from './soak-readers.ts';
import { SoakSubscriber, type WantedSubscription } from './soak-subscriber.ts';
import { keepWriting } from './soak-writer.ts';

const WRITERS = 4;
const INFORMERS = 3;
const SUBSCRIPTIONS: readonly WantedSubscription[] = [
  { name: 'verified', labelSelector: 'app=x', queueType: 'FIFO', verify: true },
  { name: 'ordered', labelSelector: 'app=y,tier!=a', queueType: 'FIFO', verify: false },
  { name: 'standard', labelSelector: 'tier in (a,b)', queueType: 'Standard', verify: false },
];
/** Seconds until all is quiet, at most. */
const SETTLES = 180;

/** What a load showed. */
export interface Judged {
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Writers, informers, somebody who lists and three Subscriptions with their subscribers, from its beginning on. */
export class SoakLoad {
  readonly operations: Operation[] = [];
  readonly #client: SoakClient;
  readonly #listings: Listing[] = [];
  readonly #informers: readonly SoakInformer[];
  readonly #subscribers: readonly SoakSubscriber[];
  readonly #over = new AbortController();
  readonly #left = new AbortController();
  #loading: readonly Promise<void>[] = [];
  #watching: readonly Promise<void>[] = [];

  /** Resolves when the Subscriptions are synced, and the load is there. */
  static async begin(client: SoakClient, queues: { readonly endpoint: string }): Promise<SoakLoad> {
    const load = new SoakLoad(client, queues);
    await load.#begin();
    return load;
  }

  private constructor(client: SoakClient, queues: { readonly endpoint: string }) {
    this.#client = client;
    this.#informers = Array.from(
      { length: INFORMERS },
      (_, at) => new SoakInformer(client, at, this.#listings),
    );
    this.#subscribers = SUBSCRIPTIONS.map((wanted) => new SoakSubscriber(client, queues, wanted));
  }

  async #begin(): Promise<void> {
    const [client, { signal }, listings] = [this.#client, this.#over, this.#listings];
    await Promise.all(this.#subscribers.map((one) => one.subscribe()));
    this.#watching = [...this.#informers, ...this.#subscribers].map((one) => one.run(this.#left.signal));
    this.#loading = [
      ...Array.from({ length: WRITERS }, (_, at) =>
        keepWriting({ client, name: `writer-${at}`, operations: this.operations, signal }),
      ),
      keepListing(client, 'lister', { listings, signal }),
    ];
  }

  /** Resolves when nobody writes or lists any more. Whoever watches or subscribes goes on. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#loading);
  }

  /** Ends everything, whatever was seen. */
  async leave(): Promise<void> {
    this.#left.abort();
    await this.end();
    await Promise.all(this.#watching);
  }

  /**
   * Whatever of it all breaks a guarantee of docs/guarantees.md, once everybody has seen everything or had the time to.
   *
   * @param rests seconds for which nothing more may come, at least.
   */
  async judge(rests: number): Promise<Judged> {
    const final = await this.#settled(rests);
    await this.leave();
    const { operations } = this;
    const subscriptions = this.#subscribers.map((one) => one.record());
    const violations = check({
      seed: 0,
      scenario: 'soak',
      operations,
      listings: this.#listings,
      watches: this.#informers.map((one) => one.record()),
      subscriptions,
      final: final.items,
      finalHead: final.rv,
    });
    const counts = {
      'single-object requests': operations.length,
      'of unknown outcome': operations.filter(({ outcome }) => outcome === 'unknown').length,
      lists: this.#listings.length,
      'messages of subscriptions': subscriptions.reduce((sum, { messages }) => sum + messages.length, 0),
    };
    return { violations, counts };
  }

  /** What there is when every informer and every subscriber has seen it, or had the time to: the checks judge then. */
  async #settled(rests: number): Promise<Listing> {
    let last: Listing | undefined;
    for (let second = 0; second < SETTLES; second += 1) {
      last = (await list(this.#client, 'final', '')) ?? last;
      const readers = [...this.#informers, ...this.#subscribers].map((one) => one.record());
      const { items = [] } = last ?? {};
      if (second > rests && readers.every(({ asked, cache = [] }) => isKnown(items, asked, cache))) break;
      await sleep(1_000);
    }
    if (last === undefined) throw new Error(`the service answered no list within ${SETTLES} s`);
    this.#listings.push(last);
    return last;
  }
}

function isKnown(items: readonly Snapshot[], asked: Asked, cache: readonly Snapshot[]): boolean {
  const selected = items.filter(selectorOf(asked)).map(({ object, rv }) => `${object}@${rv}`);
  const known = new Set(cache.map(({ object, rv }) => `${object}@${rv}`));
  return known.size === selected.length && selected.every((one) => known.has(one));
}
