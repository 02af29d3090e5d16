import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { HttpClient, KubernetesObject } from '../support/service/http-client.ts';
import type { Inbox } from '../support/service/inbox.ts';
import { type WatchLine, WatchStream } from '../support/service/watch-stream.ts';
import { PODS } from './trial.ts';

/** Of the subscription's set, since it was made. */
const POD = `${PODS}/label-demo`;
const SELECTOR = 'labelSelector=tier%3Dfrontend';
const PAUSE = 100;
/** Seconds that a watch is held. */
const HELD = 5;
/** ms after which all that was counted has been told: a message that a function died over rests for a minute. */
const PATIENCE = 240_000;

export interface CountingOptions {
  readonly http: HttpClient;
  readonly inbox: Inbox;
  /** Whether a request may be ended with its function: it is answered 502, and asked again. */
  readonly mayBeCut: boolean;
}

/** Somebody who counts in an annotation of a pod, who watches it, and the subscriber that is there. */
export class Counting {
  readonly #options: CountingOptions;
  readonly #received: number;
  readonly #watched: number[] = [];
  #counted = 0;
  #sent = 0;
  #cut = 0;
  #at: string;
  #isStopped = false;
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();
  #watching: Promise<unknown> = Promise.resolve();

  static async begin(options: CountingOptions): Promise<Counting> {
    const counting = new Counting(options, await options.http.version(PODS));
    counting.#work = counting.#count();
    counting.#watching = counting.#watch();
    // Whoever waits for them may still be busy.
    for (const one of [counting.#work, counting.#watching]) one.catch(() => {});
    return counting;
  }

  private constructor(options: CountingOptions, at: string) {
    this.#options = options;
    this.#received = options.inbox.events.length;
    this.#at = at;
  }

  /** Counts on for a while. */
  async reaches(milliseconds: number): Promise<void> {
    await Promise.race([sleep(milliseconds), this.#work, this.#watching]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#isOver = true;
  }

  /** Stops counting, and asserts that each number was watched and received once, in order. */
  async end(): Promise<{ readonly counted: number; readonly sent: number; readonly cut: number }> {
    this.#isStopped = true;
    await this.#work;
    const [counted, sent, cut] = [this.#counted, this.#sent, this.#cut];
    const all = Array.from({ length: counted }, (_, at) => at + 1);
    await eventually('all was watched', () => this.#watched.includes(counted), PATIENCE);
    await eventually('all was received', () => this.#inInbox().includes(counted), PATIENCE);
    this.#isOver = true;
    await this.#watching;
    assert.deepEqual(this.#watched, all, 'the watch');
    assert.deepEqual(this.#inInbox(), all, 'the queue');
    return { counted, sent, cut };
  }

  #inInbox(): number[] {
    return numbersIn(this.#options.inbox.events.slice(this.#received));
  }

  async #count(): Promise<void> {
    const { http, mayBeCut } = this.#options;
    while (!this.#isStopped) {
      const metadata = { annotations: { count: String(this.#counted + 1) } };
      const type = 'application/merge-patch+json';
      const { status, message } = await http.send('PATCH', POD, { body: { metadata }, type });
      this.#sent += 1;
      if (status === 200) {
        this.#counted += 1;
      } else if (status === 502 && mayBeCut) {
        // It may have been done: the same once more changes nothing then.
        this.#cut += 1;
      } else {
        throw new Error(`a count during the deployment was answered with ${status}: ${message}`);
      }
      await sleep(PAUSE);
    }
  }

  /** Watches as clients do: comes again at the last resourceVersion whenever the watch ends. */
  async #watch(): Promise<void> {
    const { http, mayBeCut } = this.#options;
    while (!this.#isOver) {
      const query = `watch=true&${SELECTOR}&resourceVersion=${this.#at}&timeoutSeconds=${HELD}`;
      try {
        const stream = await WatchStream.open(`${http.url}${PODS}?${query}`, { headers: await http.login() });
        await stream.ended();
        const { object }: { object?: KubernetesObject } = stream.events.at(-1) ?? {};
        this.#at = object?.metadata.resourceVersion ?? this.#at;
        this.#watched.push(...numbersIn(stream.events));
      } catch (error) {
        if (!mayBeCut || !/: 502 /.test(String(error))) throw error;
        this.#cut += 1;
      }
    }
  }
}

function numbersIn(events: readonly Pick<WatchLine, 'object'>[]): number[] {
  return events.flatMap(({ object }) => {
    const { name, annotations } = object.metadata ?? {};
    return name === 'label-demo' && annotations?.count !== undefined ? [Number(annotations.count)] : [];
  });
}
