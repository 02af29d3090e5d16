import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { insist } from '../access/insist.ts';
import type { Deciding } from '../access/policies.ts';
import type { Cluster } from '../actors/cluster.ts';
import { Consumer } from '../actors/consumer.ts';
import type { Ask, Asked } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { AuthorRecord } from './author-record.ts';
import {
  accountName,
  FORMS,
  type Identity,
  identityOf,
  NAMESPACE,
  OTHERS,
  READERS,
  SECRETS,
  seenIn,
  uidOf,
  writerOf,
} from './identities.ts';

const RETRY = 1_000;
const WINNOW = `/apis/winnow.dev/v1/namespaces/${NAMESPACE}`;
const TELLING = ['subscriptions', 'tallies'] as const;
/** The chance that a new account writes the Subscription and the Tally of the old account of its name. */
const TAKES_OVER = 0.35;

export interface AuthorOptions {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly record: AuthorRecord;
  readonly ask: Ask;
  readonly at: number;
}

/** An author with a Subscription and a Tally. An administrator ends its identity and creates it again. */
export class Author {
  readonly #options: AuthorOptions;
  readonly #identity: Identity;
  readonly #isSpared: boolean;
  readonly #consumer: Consumer;
  #token = 0;

  constructor(options: AuthorOptions) {
    const { cluster, at, scenario } = options;
    this.#options = options;
    this.#identity = identityOf(at);
    // One author of each form keeps its identity.
    this.#isSpared = at >= (scenario.authors ?? 0) - FORMS.length;
    this.#consumer = new Consumer(cluster);
    cluster.world.table.watch(({ after }) => {
      if (after?.pk !== `object#${SUBSCRIPTIONS}` || after.sk !== this.#sk) return;
      this.#consumer.follow(String(objectAt(decodeBody(after.body).status).queueUrl ?? ''));
    });
  }

  async run(): Promise<void> {
    const { scenario, cluster } = this.#options;
    const { chance, scheduler } = cluster.world;
    const { deciding } = this.#identity;
    if (deciding !== undefined) await this.#put(deciding);
    for (const resource of TELLING) {
      await this.#insist({ method: 'POST', url: `${WINNOW}/${resource}`, body: this.#object(resource) });
    }
    if (this.#isSpared) return;
    for (let turn = 0; turn < (scenario.identities ?? 0); turn += 1) {
      await scheduler.sleep(chance.within(scenario.identityPause ?? [0, 0]));
      await this.#change();
    }
  }

  /** Records the messages in its queue and the count of its Tally. */
  end(): void {
    const { cluster, record } = this.#options;
    const rows = cluster.world.table.rows.partition(`object#${this.#identity.collection}`);
    record.received.push({
      identity: this.#identity,
      isSpared: this.#isSpared,
      messages: this.#consumer.messages,
      known: this.#consumer.cache,
      count: this.#counted(),
      objects: rows.filter(({ sk }) => sk.startsWith(`${NAMESPACE}/`)).map(({ sk, rv }) => `${sk}@${rv}`),
    });
  }

  /** Deletes the identity or creates it again, or changes the group of the author. */
  async #change(): Promise<void> {
    const { chance } = this.#options.cluster.world;
    const { deciding, without } = this.#identity;
    if (deciding === undefined) return this.#beSeenIn(chance.pick([READERS, OTHERS]));
    const isThere = this.#now !== undefined;
    if (without !== undefined) {
      const next = chance.pick(isThere ? ['gone', 'with', 'without', 'without'] : ['with', 'without']);
      return next === 'gone' ? this.#delete(deciding) : this.#put(next === 'with' ? deciding : without);
    }
    if (isThere) await this.#delete(deciding);
    // Sometimes the name stays free for a while.
    if (chance.chance(0.3) && isThere) return;
    await this.#put(deciding);
    if (chance.chance(TAKES_OVER)) await this.#takeOver();
  }

  /** The user sends a request with its current group at the identity provider. */
  async #beSeenIn(group: string): Promise<void> {
    const { name, username } = this.#identity;
    const url = `${WINNOW}/subscriptions/${name}`;
    await this.#options.ask({ method: 'GET', url, ...seenIn(username, group) });
  }

  /** The current account writes another `spec`, so it is the author from then on. */
  async #takeOver(): Promise<void> {
    this.#token += 1;
    const writer = this.#writer;
    const labelSelector = `absent!=n${this.#token}`;
    for (const resource of TELLING) {
      await this.#insist({
        method: 'PATCH',
        url: `${WINNOW}/${resource}/${this.#identity.name}`,
        body: { metadata: { annotations: { writer } }, spec: { labelSelector } },
        contentType: 'application/merge-patch+json',
      });
    }
  }

  #object(resource: (typeof TELLING)[number]): JsonObject {
    const { name, collection, form } = this.#identity;
    const of = { group: '', resource: collection === SECRETS ? 'secrets' : 'pods' };
    const named: JsonObject = form === 'named' ? { serviceAccountName: accountName(this.#options.at) } : {};
    const start: JsonObject = resource === 'subscriptions' ? { start: 'snapshot' } : {};
    return {
      metadata: { name, namespace: NAMESPACE, annotations: { writer: this.#writer } },
      spec: { resource: of, namespaces: 'Own', ...start, ...named },
    };
  }

  #put(one: Deciding): Promise<void> {
    this.#token += 1;
    return insist(this.#administrator, one, `${this.#identity.name}.${this.#token}`);
  }

  #delete(one: Deciding): Promise<void> {
    return insist(this.#administrator, one, undefined);
  }

  /** Repeats a request as the author, until it succeeds or its object exists. */
  async #insist(asked: Asked): Promise<void> {
    const { cluster, ask } = this.#options;
    const caller = this.#identity.caller(uidOf(this.#now));
    for (;;) {
      const answer = await ask({ ...asked, ...caller });
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) return;
      await cluster.world.scheduler.sleep(RETRY);
    }
  }

  #counted(): number {
    const rows = this.#options.cluster.world.table.rows.partition(`object#${TALLIES}`);
    const row = rows.find(({ sk }) => sk === this.#sk);
    return Number(row && objectAt(decodeBody(row.body).status).count);
  }

  get #administrator() {
    const { cluster, ask, record } = this.#options;
    return { cluster, ask, access: record.accessOf(this.#identity) };
  }

  get #now(): JsonObject | undefined {
    return this.#options.record.identityNow(this.#identity);
  }

  get #writer(): string {
    return writerOf(this.#identity, this.#now);
  }

  get #sk(): string {
    return `${NAMESPACE}/${this.#identity.name}`;
  }
}
