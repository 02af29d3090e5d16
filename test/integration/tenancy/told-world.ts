import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import { Consumer } from '../../support/service/consumer.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';
import { ADMIN } from './administrator.ts';
import { Canonical } from './canonical.ts';
import type { Answer } from './lone-world.ts';

const WINNOW = '/apis/winnow.dev/v1/namespaces/n1';
const MERGE = 'application/merge-patch+json';
/** The minutes until a changed grant takes effect and its changes are delivered. */
const MINUTES = 3;
/** The names of queues, which are random. */
const QUEUE = /winnow-subscription-[a-z0-9-]+/g;

/** The resource and namespaces of a Subscription and a Tally. */
export interface Telling {
  readonly resource: { readonly group: string; readonly resource: string };
  readonly namespaces: 'Own' | 'All';
}

/** One world with dispatch and reconcile. The tenant has one Subscription and one Tally for each `Telling`. */
export class ToldWorld {
  readonly #api: MemoryApi;
  readonly #canonical = new Canonical();
  readonly #tenant: UserInfo;
  readonly #tellings: readonly Telling[];
  readonly #consumers: readonly Consumer[];

  private constructor(api: MemoryApi, tenant: UserInfo, tellings: readonly Telling[]) {
    this.#api = api;
    this.#tenant = tenant;
    this.#tellings = tellings;
    this.#consumers = tellings.map(() => new Consumer());
  }

  static async create(tenant: UserInfo, tellings: readonly Telling[]): Promise<ToldWorld> {
    return new ToldWorld(await createMemoryApi(), tenant, tellings);
  }

  /** The errors of dispatch and reconcile. */
  get errors(): readonly unknown[] {
    return this.#api.memory.world.errors;
  }

  /** The number of received messages. */
  get messages(): number {
    return this.#consumers.reduce((count, { events }) => count + events.length, 0);
  }

  async ask(user: UserInfo, { method, target, body, type }: Asked): Promise<Answer> {
    const { status, headers, body: answered } = await this.#api.as(user).send(method, target, body, type);
    return { status, headers, text: JSON.stringify(answered) };
  }

  /** Creates the tenant's Subscriptions and Tallies, or changes their selector. Returns the responses. */
  async tell(labelSelector: string): Promise<JsonValue> {
    const answers: JsonValue[] = [];
    for (const [at, telling] of this.#tellings.entries()) {
      for (const resource of ['subscriptions', 'tallies']) {
        const target = `${WINNOW}/${resource}`;
        const start = resource === 'subscriptions' && { start: 'snapshot' };
        const spec = { ...telling, ...start, labelSelector };
        const asked: Asked = (await this.#isThere(`${target}/t${at}`))
          ? { method: 'PATCH', target: `${target}/t${at}`, type: MERGE, body: { spec: { labelSelector } } }
          : { method: 'POST', target, body: { metadata: { name: `t${at}` }, spec } };
        answers.push(this.#said(await this.ask(this.#tenant, asked)));
      }
    }
    return answers;
  }

  /** Waits until all is quiet. Returns the new messages of the tenant's queues, the known sets, and the statuses. */
  async told(): Promise<JsonValue> {
    await this.#api.memory.minutes(MINUTES);
    const all: JsonValue[] = [];
    for (const [at, consumer] of this.#consumers.entries()) {
      const [subscription, tally] = [
        await this.ask(this.#tenant, { method: 'GET', target: `${WINNOW}/subscriptions/t${at}` }),
        await this.ask(this.#tenant, { method: 'GET', target: `${WINNOW}/tallies/t${at}` }),
      ];
      const { status = {} } = JSON.parse(subscription.text) as { status?: JsonObject };
      const { queueUrl = '' } = status;
      const queued = queueUrl === '' ? [] : await this.#api.memory.queues.drain(String(queueUrl));
      const events = consumer.read(queued).map(({ type, object }) => ({ type, object }));
      const known = consumer.known.map((one) => one.replace(/@.*/, ''));
      const said = [subscription, tally].map((answer) => this.#said(answer));
      all.push({ events: this.#canonical.text(JSON.stringify(events)), known, said });
    }
    return all;
  }

  #said({ text, ...answer }: Answer): JsonValue {
    return this.#canonical.answer({ ...answer, text: text.replace(QUEUE, '<queue>') });
  }

  async #isThere(target: string): Promise<boolean> {
    return (await this.ask(ADMIN, { method: 'GET', target })).status === 200;
  }
}
