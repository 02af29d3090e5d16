import { setInterval } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { Inbox } from '../../support/service/inbox.ts';
import type { BenchedService } from './service.ts';

const PODS = '/api/v1/namespaces/default/pods';
/** Ms between two writes, and of writes that are not answered yet at most. */
const EVERY = 100;
const MOST_UNDER_WAY = 50;
/** What a subscriber is to be told takes no longer than this, in ms, or it is lost. */
const LOST = 60_000;

interface Written {
  readonly name: string;
  /** When the write was acknowledged, in ms since the epoch. */
  readonly at: number;
}

/** When an event was accepted by its queue, and received, in ms since the epoch. */
interface Told {
  readonly sent: number;
  readonly received: number;
}

/** A synced subscriber, and a writer to what it selects. */
export class Bystander {
  readonly #service: BenchedService;
  readonly #inbox: Inbox;
  readonly #written: Written[] = [];
  readonly #told = new Map<string, Told>();
  readonly #writing = new AbortController();
  #underWay = 0;
  #refused: string | undefined;

  private constructor(service: BenchedService) {
    const { http, sqs } = service;
    this.#service = service;
    this.#inbox = new Inbox({ http, sqs, name: 'bystander', namespace: 'default' });
  }

  /** Synced, and reading; somebody writes what it is told of, from now on. */
  static async start(service: BenchedService): Promise<Bystander> {
    const bystander = new Bystander(service);
    await bystander.#inbox.subscribe({ resource: { resource: 'pods' }, labelSelector: 'app=x' });
    bystander.#inbox.read(({ object, sentAt }) => bystander.#note(object.metadata.name, sentAt));
    void bystander.#keepWriting();
    return bystander;
  }

  /** Ms from a write's acknowledgement to its event, of what was acknowledged between two moments; Infinity: lost. */
  waits(what: keyof Told, from: number, to: number): number[] {
    return this.#written
      .filter(({ at }) => at >= from && at < to)
      .map(({ name, at }) => Math.max(0, (this.#told.get(name)?.[what] ?? Number.POSITIVE_INFINITY) - at));
  }

  /** No more is written; resolves when all was told that was written, or it is lost. @throws where a write was refused */
  async end(): Promise<void> {
    this.#writing.abort();
    const isComplete = () => this.#underWay === 0 && this.#written.every(({ name }) => this.#told.has(name));
    await eventually('everything was told', isComplete, LOST).catch(() => {});
    this.#inbox.close();
    if (this.#refused !== undefined) throw new Error(`a write was refused: ${this.#refused}`);
  }

  #note(name: string, sent: number): void {
    if (!this.#told.has(name)) this.#told.set(name, { sent, received: Date.now() });
  }

  async #keepWriting(): Promise<void> {
    const ticks = setInterval(EVERY, undefined, { signal: this.#writing.signal });
    let made = 0;
    try {
      for await (const _ of ticks) if (this.#underWay < MOST_UNDER_WAY) void this.#write(`p${made++}`);
    } catch {
      // It was ended.
    }
  }

  async #write(name: string): Promise<void> {
    this.#underWay += 1;
    const containers = [{ name: 'main', image: 'nginx' }];
    const pod = { metadata: { name, labels: { app: 'x' } }, spec: { containers } };
    const { status, message } = await this.#service.http.send('POST', PODS, { body: pod });
    if (status < 400) {
      this.#written.push({ name, at: Date.now() });
    } else {
      this.#refused ??= `${status} ${message}`;
    }
    this.#underWay -= 1;
  }
}
