import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { check, type Violation } from '../../simulation/checks/index.ts';
import { selectorOf } from '../../simulation/checks/naive-selector.ts';
import type { Asked, Listing, Operation, Snapshot } from '../../simulation/history.ts';
import { keepListing, list, pods, SELECTORS } from './listing.ts';
import { PODS, type SoakClient } from './soak-client.ts';
import { SoakInformer } from './soak-informer.ts';
import { SoakSubscriber, sqsAt } from './soak-subscriber.ts';
import { keepWriting, perform, type Wanted } from './soak-writer.ts';

const WRITERS = 4;
const INFORMERS = 3;
const ABOUT = { namespace: 'default', resource: { group: '', resource: 'pods' }, objects: PODS };
const SUBSCRIPTIONS = [
  { name: 'verified', labelSelector: 'app=x', queueType: 'FIFO', verify: true },
  { name: 'ordered', labelSelector: 'app=y,tier!=a', queueType: 'FIFO', verify: false },
  { name: 'standard', labelSelector: 'tier in (a,b)', queueType: 'Standard', verify: false },
] as const;
/** Seconds until all is quiet, at most. */
const SETTLES = 180;
const PAUSE = 200;

/** What a load showed. */
export interface Judged {
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Writers, informers, a client that lists, and three Subscriptions with their subscribers, from its beginning on. */
export class SoakLoad {
  readonly operations: Operation[] = [];
  readonly #client: SoakClient;
  readonly #sqs: SQSClient;
  readonly #listings: Listing[] = [];
  readonly #informers: readonly SoakInformer[];
  readonly #subscribers: readonly SoakSubscriber[];
  readonly #over = new AbortController();
  readonly #left = new AbortController();
  #loading: readonly Promise<void>[] = [];
  #watching: readonly Promise<void>[] = [];
  #probes = 0;

  /** Resolves when the Subscriptions are synced, and the load is there. */
  static async begin(client: SoakClient, queues: { readonly endpoint: string }): Promise<SoakLoad> {
    const load = new SoakLoad(client, sqsAt(queues.endpoint));
    await load.#begin();
    return load;
  }

  private constructor(client: SoakClient, sqs: SQSClient) {
    this.#client = client;
    this.#sqs = sqs;
    const listings = this.#listings;
    this.#informers = SELECTORS.slice(0, INFORMERS).map(
      (selector, at) => new SoakInformer({ client, name: `informer-${at}`, listings, ...pods(selector) }),
    );
    this.#subscribers = SUBSCRIPTIONS.map(
      (wanted) => new SoakSubscriber(client, sqs, { ...ABOUT, ...wanted }),
    );
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

  /**
   * Writes a pod and changes it, so that every informer and every subscriber has to see one of the two states.
   *
   * @param within seconds.
   * @returns ms from the first request until all of them have; undefined: not within that time.
   */
  async probe(within: number): Promise<number | undefined> {
    const began = performance.now();
    const end = began + within * 1_000;
    this.#probes += 1;
    const pod = `probe-${this.#probes}`;
    const first = await this.#insist({ kind: 'create', pod, labels: { app: 'x', tier: 'a' } }, end);
    const second = await this.#insist({ kind: 'update', pod, labels: { app: 'y', tier: 'b' } }, end);
    const readers = [...this.#informers, ...this.#subscribers];
    const isSeen = () => readers.every(({ tokens }) => tokens.has(first) || tokens.has(second));
    while (!isSeen() && performance.now() < end) await sleep(PAUSE);
    const took = isSeen() ? performance.now() - began : undefined;
    await this.#insist({ kind: 'delete', pod, labels: {} }, performance.now());
    return took;
  }

  /** Resolves when nobody writes or lists any more. Informers and subscribers go on. */
  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#loading);
  }

  /** Ends everything, whatever was seen. */
  async leave(): Promise<void> {
    this.#left.abort();
    await this.end();
    await Promise.all(this.#watching);
    this.#sqs.destroy();
  }

  /**
   * Everything that breaks a guarantee of docs/guarantees.md, once all have seen everything or had the time to.
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
      'requests on one object': operations.length,
      'of unknown outcome': operations.filter(({ outcome }) => outcome === 'unknown').length,
      lists: this.#listings.length,
      'messages of Subscriptions': subscriptions.reduce((sum, { messages }) => sum + messages.length, 0),
    };
    return { violations, counts };
  }

  /** Answers the token of the last attempt. Each one is a request of its own in the history. */
  async #insist(wanted: Omit<Wanted, 'token'>, end: number): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const token = `${wanted.pod}-${wanted.kind}-${attempt}`;
      const writing = { client: this.#client, name: 'probe', operations: this.operations };
      const { outcome } = await perform(writing, { ...wanted, token });
      if (outcome !== 'unknown' || performance.now() > end) return token;
      await sleep(PAUSE);
    }
  }

  /** What there is when every informer and every subscriber has seen it, or had the time to: the checks judge then. */
  async #settled(rests: number): Promise<Listing> {
    let last: Listing | undefined;
    for (let second = 0; second < SETTLES; second += 1) {
      last = (await list(this.#client, 'final', pods(''))) ?? last;
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

export function isKnown(items: readonly Snapshot[], asked: Asked, cache: readonly Snapshot[]): boolean {
  const selected = items.filter(selectorOf(asked)).map(({ object, rv }) => `${object}@${rv}`);
  const known = new Set(cache.map(({ object, rv }) => `${object}@${rv}`));
  return known.size === selected.length && selected.every((one) => known.has(one));
}
