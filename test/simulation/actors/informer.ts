import type { WatchEvent } from '../../../lib/store/index.ts';
import type { Asked, Snapshot, WatchedEvent, WatchRecord, WatchSpell } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Range } from '../world/chance.ts';
import { pickAsked } from './asked.ts';
import type { Cluster, ReadService } from './cluster.ts';
import { list } from './listing.ts';
import { filterOf, PODS, snapshotOf } from './pods.ts';

/** Ms to wait after a request that failed. */
const RETRY = 500;
/** The lifetime of a function, in ms. */
const TIMEOUT = 330_000;

/** A client that lists, then watches, resumes from the last version it saw, and lists again after a 410. */
export class Informer {
  readonly #cluster: Cluster;
  readonly #scenario: Scenario;
  readonly #client: string;
  readonly #asked: Asked;
  readonly #cache = new Map<string, Snapshot>();
  readonly #spells: (WatchSpell & { readonly events: WatchedEvent[] })[] = [];
  /** The resourceVersion up to which it has watched; undefined: it has to list. */
  #seen: number | undefined;
  #isOver = false;

  constructor(cluster: Cluster, client: string, scenario: Scenario) {
    this.#cluster = cluster;
    this.#client = client;
    this.#scenario = scenario;
    this.#asked = pickAsked(cluster.world.chance, scenario);
  }

  async run(): Promise<void> {
    const { scheduler, chance } = this.#cluster.world;
    await scheduler.sleep(chance.within(this.#scenario.listPause));
    while (!this.#isOver) {
      if (this.#seen === undefined) await this.#list();
      if (this.#seen === undefined) {
        await scheduler.sleep(RETRY);
      } else {
        await this.#watch(this.#seen);
      }
    }
  }

  /** Stops, and returns what it knows. */
  end(): WatchRecord {
    this.#isOver = true;
    const cache = [...this.#cache.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
    return { client: this.#client, asked: this.#asked, spells: this.#spells, cache };
  }

  /** A pause that ends with the scenario's faults at the latest: after them the client does not wait. */
  #pause(range: Range): number {
    const { scheduler, chance } = this.#cluster.world;
    return Math.min(chance.within(range), Math.max(0, this.#scenario.lasts - scheduler.now));
  }

  async #list(): Promise<void> {
    const { chance } = this.#cluster.world;
    const limit = chance.chance(0.3) ? 1 + chance.below(4) : undefined;
    const pause = () => this.#pause(this.#scenario.pagePause);
    const listed = await list(this.#cluster, { client: this.#client, asked: this.#asked, limit, pause });
    if (listed.how !== 'done' || this.#isOver) return;
    this.#cache.clear();
    for (const item of listed.listing.items) this.#cache.set(item.object, item);
    this.#seen = listed.listing.rv;
    this.#spells.push({ from: listed.listing.rv, begins: 'list', events: [] });
  }

  async #watch(from: number): Promise<void> {
    const { chance, scheduler } = this.#cluster.world;
    if (this.#spells.at(-1)?.events.length !== 0) this.#spells.push({ from, begins: 'resume', events: [] });
    await scheduler.sleep(this.#pause(this.#scenario.awayFor));
    const ended = await this.#cluster.read.invoke(TIMEOUT, (service) => this.#follow(service, from));
    if (ended.how === 'done') return;
    // An HTTP error before the first event: after a 410 the client lists, after any other it retries.
    if (ended.how === 'failed' && ended.error instanceof Error && ended.error.name === 'GoneError') {
      this.#see({ type: 'GONE', message: '' });
    }
    await scheduler.sleep(chance.within([RETRY / 2, RETRY]));
  }

  async #follow({ watches }: ReadService, from: number): Promise<void> {
    const { chance } = this.#cluster.world;
    const leaves = new AbortController();
    const timeout = chance.within(this.#scenario.watchFor);
    const wanted = { ...filterOf(this.#asked), from, timeout, bookmarks: chance.chance(0.5) };
    const events = await watches.open(PODS, { ...wanted, signal: leaves.signal });
    for await (const event of events) {
      if (this.#isOver) {
        leaves.abort();
      } else {
        this.#see(event);
      }
    }
  }

  #see(event: WatchEvent): void {
    const at = this.#cluster.now;
    const events = this.#spells.at(-1)?.events;
    switch (event.type) {
      case 'HEARTBEAT':
        return;
      case 'BOOKMARK':
        events?.push({ at, type: 'BOOKMARK', rv: event.rv });
        this.#seen = event.rv;
        return;
      case 'GONE':
        events?.push({ at, type: 'ERROR', reason: 'gone' });
        this.#seen = undefined;
        return;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const object = snapshotOf(event.object);
        events?.push({ at, type: event.type, object });
        this.#seen = object.rv;
        if (event.type === 'DELETED') {
          this.#cache.delete(object.object);
        } else {
          this.#cache.set(object.object, object);
        }
        return;
      }
      default:
        event satisfies never;
    }
  }
}
