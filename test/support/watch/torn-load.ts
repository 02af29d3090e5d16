import type { JsonObject } from '../../../lib/json/index.ts';
import { type Random, silentLogger } from '../../../lib/platform/index.ts';
import { createApi, readingVerbs, writingVerbs } from '../../../lib/server/index.ts';
import { createWatches } from '../../../lib/store/index.ts';
import type { OwnedClock } from '../clocks/owned-clock.ts';
import { ADMIN } from '../service/admin.ts';
import type { WatchWorld } from './watch-world.ts';

/** More label keys than there are slots. */
export const KEYS = Array.from({ length: 20 }, (_, at) => `k${String(at).padStart(2, '0')}`);
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
export const SUBSCRIBED = ['north', 'south'];
export const IN = '/api/v1/namespaces/default';
const VALUES = ['x', 'y'];
const SPEC = { containers: [{ name: 'c', image: 'i' }] };

interface TornLoadOptions {
  readonly clock: OwnedClock;
  readonly random: Random;
  /** The one that is written to now. */
  world(): WatchWorld;
}

/** Pods, Services, owners, custom kinds and subscriptions that come, change and go at random. */
export class TornLoad {
  readonly #clock: OwnedClock;
  readonly #random: Random;
  readonly #world: () => WatchWorld;

  constructor({ clock, random, world }: TornLoadOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#world = world;
  }

  async begin(): Promise<void> {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await this.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'fleets.example.com', annotations: { 'winnow.dev/selects': 'pods=.spec.over' } },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    for (const name of SUBSCRIBED) {
      const selector = { matchLabels: { app: name === 'north' ? 'x' : 'y' } };
      await this.#world().subscribe(name, { start: 'snapshot', selector, verify: name === 'north' });
    }
  }

  async act(): Promise<void> {
    const name = this.#pick(NAMES);
    const acts = [
      () => this.#putPod(name),
      () => this.#putPod(name),
      () => this.#putPod(name),
      () => this.ask('DELETE', `${IN}/pods/${name}?gracePeriodSeconds=0`),
      () => this.#putService(name),
      () => this.ask('DELETE', `${IN}/services/${name}`),
      () => this.#putSet(name),
      () => this.ask('DELETE', `/apis/apps/v1/namespaces/default/replicasets/${name}`),
      () => this.#putFleet(name),
      async () => this.#clock.during(this.#world().pump()),
    ];
    await this.#pick(acts)();
    this.#clock.advance(300);
  }

  async #putPod(name: string): Promise<void> {
    const chosen = KEYS.filter(() => this.#random.fraction() < 0.3).map((key) => [key, this.#pick(VALUES)]);
    const set = await this.ask('GET', `/apis/apps/v1/namespaces/default/replicasets/${this.#pick(NAMES)}`);
    const { uid, name: owner } = (set.metadata ?? {}) as JsonObject;
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner ?? '', uid: uid ?? '' };
    const metadata = {
      name,
      labels: { ...Object.fromEntries(chosen), app: this.#pick(VALUES) },
      ownerReferences: set.kind === 'ReplicaSet' ? [reference] : [],
    };
    await this.#put(`${IN}/pods`, { metadata, spec: SPEC });
  }

  async #putService(name: string): Promise<void> {
    const spec = { selector: { app: this.#pick(VALUES), k00: 'x' }, ports: [{ port: 80 }] };
    const chosen = this.#random.fraction() < 0.5 ? spec : { ...spec, selector: { app: this.#pick(VALUES) } };
    await this.#put(`${IN}/services`, { metadata: { name }, spec: chosen });
  }

  async #putSet(name: string): Promise<void> {
    const template = { metadata: { labels: { app: name } }, spec: SPEC };
    const spec = { replicas: 1, selector: { matchLabels: { app: name } }, template };
    await this.#put('/apis/apps/v1/namespaces/default/replicasets', { metadata: { name }, spec });
  }

  async #putFleet(name: string): Promise<void> {
    const body = {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name, labels: { k01: this.#pick(VALUES) } },
    };
    await this.#put('/apis/example.com/v1/namespaces/default/fleets', {
      ...body,
      spec: { over: `app in (${this.#pick(VALUES)})` },
    });
  }

  /** Creates it, or changes the one that there is. */
  async #put(path: string, body: JsonObject): Promise<void> {
    const created = await this.ask('POST', path, body);
    if (created.code !== 409) return;
    const { metadata, spec } = body as { metadata: JsonObject; spec: JsonObject };
    const patch = path.endsWith('/pods') ? { metadata: { labels: metadata.labels } } : { metadata, spec };
    await this.ask('PATCH', `${path}/${metadata.name}`, patch as JsonObject, 'application/merge-patch+json');
  }

  async ask(method: string, path: string, body?: JsonObject, type = 'application/json'): Promise<JsonObject> {
    const outside = { clock: this.#clock, random: this.#random, logger: silentLogger };
    const { store, hints } = this.#world();
    const api = createApi({
      ...outside,
      store,
      verbs: { ...readingVerbs, ...writingVerbs },
      watches: createWatches({ ...outside, store }),
      announce: (collection, rv) => hints.announce(collection, rv),
    });
    const url = new URL(path, 'http://here');
    const sent = body && { body: Buffer.from(JSON.stringify(body)) };
    const request = { method, path: url.pathname, query: url.searchParams, user: ADMIN, ...sent };
    const headers = { 'user-agent': 'test/1', accept: '*/*', 'content-type': type };
    const answer = await this.#clock.during(
      api.handle({ ...request, headers }, new AbortController().signal),
    );
    return JSON.parse(String(answer.body));
  }

  #pick<T>(some: readonly T[]): T {
    return some[Math.floor(this.#random.fraction() * some.length)] as T;
  }
}
