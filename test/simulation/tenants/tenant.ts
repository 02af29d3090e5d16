import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import type { Ask, Asked as Request } from '../api/index.ts';
import type { Asked, Snapshot, WatchedEvent, WatchRecord, WatchSpell } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { askedFor } from './asked-for.ts';
import { isOfAll, NAMESPACE, nameOf } from './grants.ts';
import { labelledOf, type TenantRecord } from './tenant-record.ts';

/** Ms to wait after a request that failed. */
const RETRY = 500;
/** The lifetime of a function, in ms. */
const TIMEOUT = 330_000;
/** The time in ms within which the end of a watch is decided. */
const ENDING = 5_000;
/**
 * The highest age of a watch's decision, in ms. The first event after a heartbeat's time renews it, which takes reads.
 */
const HELD = TIMING.watchHeartbeat + 5_000;

export interface TenantOptions {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly record: TenantRecord;
  readonly ask: Ask;
  readonly at: number;
}

/** A list and the events since, while one scope is in force. */
interface Following {
  readonly client: string;
  readonly asked: Asked;
  readonly spells: (WatchSpell & { readonly events: WatchedEvent[] })[];
  readonly cache: Map<string, Snapshot>;
}

interface Page {
  readonly rv: number;
  readonly items: readonly Snapshot[];
  readonly next: string | undefined;
}

/**
 * A client that sees pods by grants alone; it gets, lists and watches by the API. To the checks it is an informer that
 * requests what its grants select. Each scope makes a new informer, because the client has to list again.
 */
export class Tenant {
  readonly #options: TenantOptions;
  readonly #who: string;
  readonly #url: string;
  /** The tenant's own selector, within what its grants select. */
  readonly #own: string;
  readonly #over: WatchRecord[] = [];
  #following: Following | undefined;
  /** The resourceVersion up to which it has watched; undefined: it has to list. */
  #seen: number | undefined;
  #isOver = false;

  constructor(options: TenantOptions) {
    this.#options = options;
    this.#who = nameOf(options.at);
    this.#url = isOfAll(options.at) ? '/api/v1/pods' : `/api/v1/namespaces/${NAMESPACE}/pods`;
    this.#own = options.cluster.world.chance.chance(0.3) ? 'tier=a' : '';
  }

  async run(): Promise<void> {
    const { scheduler, chance } = this.#options.cluster.world;
    while (!this.#isOver) {
      if (chance.chance(0.5)) await this.#get();
      if (this.#seen === undefined) await this.#list();
      if (this.#seen === undefined || this.#following === undefined) {
        await scheduler.sleep(RETRY);
      } else {
        await this.#watch(this.#seen, this.#following);
      }
    }
  }

  /** Stops, and returns what it knows. */
  end(): WatchRecord[] {
    this.#isOver = true;
    if (this.#following === undefined) return this.#over;
    const { cache, ...followed } = this.#following;
    const known = [...cache.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
    return [...this.#over, { ...followed, cache: known }];
  }

  get #now(): number {
    return this.#options.cluster.now;
  }

  async #get(): Promise<void> {
    const { cluster, scenario, ask } = this.#options;
    const { chance } = cluster.world;
    const invoked = this.#now;
    const name = `p${chance.below(scenario.names)}`;
    const answer = await ask({
      method: 'GET',
      url: `/api/v1/namespaces/${NAMESPACE}/pods/${name}`,
      ...this.#asHim,
    });
    const [object] = answer?.objects ?? [];
    if (answer?.status !== 200 || object === undefined || this.#isOver) return;
    const returned = this.#now;
    const snapshot = snapshotIn(object);
    this.#show('get', [invoked, returned], [snapshot]);
    const about = { client: this.#who, kind: 'get', object: snapshot.object, invoked, returned } as const;
    cluster.recorder.operations.push({ ...about, outcome: 'ok', answer: snapshot });
  }

  async #list(): Promise<void> {
    const { cluster, scenario } = this.#options;
    const { chance, scheduler } = cluster.world;
    const invoked = this.#now;
    const limit = chance.chance(0.4) ? 1 + chance.below(3) : undefined;
    const items: Snapshot[] = [];
    let page: Page | undefined;
    let pages = 0;
    do {
      if (page !== undefined) await scheduler.sleep(chance.within(scenario.pagePause));
      page = await this.#page({ limit, token: page?.next });
      if (page === undefined || this.#isOver) return;
      items.push(...page.items);
      pages += 1;
    } while (page.next !== undefined);
    const returned = this.#now;
    const asked = this.#askedFor(invoked, returned);
    if (asked === undefined) return;
    const following = this.#follow(asked);
    const { client } = following;
    cluster.recorder.listings.push({ client, asked, invoked, returned, rv: page.rv, items, pages });
    following.cache.clear();
    for (const item of items) following.cache.set(item.object, item);
    following.spells.push({ from: page.rv, begins: 'list', events: [] });
    this.#seen = page.rv;
  }

  async #page({
    limit,
    token,
  }: {
    limit: number | undefined;
    token: string | undefined;
  }): Promise<Page | undefined> {
    const invoked = this.#now;
    const query = {
      ...(limit !== undefined && { limit: `${limit}` }),
      ...(token !== undefined && { continue: token }),
    };
    const answer = await this.#options.ask({ method: 'GET', url: this.#urlWith(query), ...this.#asHim });
    const [list] = answer?.objects ?? [];
    if (answer?.status !== 200 || list === undefined) return undefined;
    const items = (Array.isArray(list.items) ? list.items : []).map((item) => snapshotIn(objectAt(item)));
    this.#show('list', [invoked, this.#now], items);
    const { resourceVersion, continue: next } = metadataOf(list);
    return { rv: Number(resourceVersion), items, next: typeof next === 'string' ? next : undefined };
  }

  /**
   * The effective request between two moments: the grants and the own selector. Undefined if the grants changed, or
   * select nothing.
   */
  #askedFor(since: number, at: number): Asked | undefined {
    return askedFor(this.#options, { own: this.#own, since, until: at });
  }

  #follow(asked: Asked): Following {
    const { at } = this.#options;
    const before = this.#following;
    if (before !== undefined && isSame(before.asked, asked)) return before;
    if (before !== undefined) this.#over.push({ ...before, cache: [], isGivenUp: true });
    const client = `${nameOf(at)}.${this.#over.length}`;
    const following: Following = { client, asked, spells: [], cache: new Map() };
    this.#following = following;
    return following;
  }

  async #watch(from: number, following: Following): Promise<void> {
    const { cluster, scenario, ask } = this.#options;
    const { chance, scheduler } = cluster.world;
    const { spells, asked } = following;
    if (spells.at(-1)?.events.length !== 0) spells.push({ from, begins: 'resume', events: [] });
    const invoked = this.#now;
    const leaves = new AbortController();
    const seconds = Math.ceil(chance.within(scenario.watchFor) / 1_000);
    const query = {
      watch: 'true',
      resourceVersion: `${from}`,
      timeoutSeconds: `${seconds}`,
      ...(chance.chance(0.5) && { allowWatchBookmarks: 'true' }),
    };
    let isOfOneScope = false;
    const answer = await ask({
      method: 'GET',
      url: this.#urlWith(query),
      ...this.#asHim,
      patience: TIMEOUT,
      signal: leaves.signal,
      answered: (status) => {
        isOfOneScope = isSame(this.#askedFor(invoked, this.#now), asked);
        // The list was made under other grants than this watch.
        if (status === 200 && !isOfOneScope) this.#seen = undefined;
        if (status === 200 && !isOfOneScope) leaves.abort();
      },
      hears: (event) => {
        if (this.#isOver) leaves.abort();
        if (isOfOneScope && !this.#isOver) this.#hear(event, { following, invoked });
      },
    });
    if (answer?.status === 410) this.#forget(following);
    if (answer?.status === 200 && isOfOneScope && !answer.objects.some(({ type }) => type === 'ERROR')) {
      this.#end({ invoked, lasted: 1_000 * seconds, anyOf: asked.anyOf ?? [] });
    }
    if (answer?.status !== 200) await scheduler.sleep(chance.within([RETRY / 2, RETRY]));
  }

  #hear(
    { type, object }: JsonObject,
    { following, invoked }: { following: Following; invoked: number },
  ): void {
    const at = this.#now;
    const { spells, cache } = following;
    const body = objectAt(object);
    if (type === 'ERROR') {
      if (body.code === 410) this.#forget(following);
      return;
    }
    if (type === 'BOOKMARK') {
      const rv = Number(metadataOf(body).resourceVersion);
      spells.at(-1)?.events.push({ at, type, rv });
      this.#seen = rv;
      return;
    }
    const snapshot = snapshotIn(body);
    this.#show(`watch: ${type}`, [Math.max(invoked, at - HELD), at], [snapshot]);
    if (type === 'DELETED') {
      cache.delete(snapshot.object);
    } else {
      cache.set(snapshot.object, snapshot);
    }
    this.#seen = snapshot.rv;
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      spells.at(-1)?.events.push({ at, type, object: snapshot });
    }
  }

  /** Records the end of a watch without an ERROR. The scope of the events after it must be the same. */
  #end({ invoked, lasted, anyOf }: { invoked: number; lasted: number; anyOf: readonly string[] }): void {
    if (this.#isOver) return;
    const at = this.#now;
    const since = Math.max(invoked, Math.min(invoked + lasted, at - ENDING));
    this.#options.record.ends.push({ who: this.#who, since, at, anyOf });
  }

  /** Records a 410: the client has to list. */
  #forget({ spells }: Following): void {
    spells.at(-1)?.events.push({ at: this.#now, type: 'ERROR', reason: 'gone' });
    this.#seen = undefined;
  }

  #show(how: string, [since, at]: readonly [number, number], objects: readonly Snapshot[]): void {
    this.#options.record.shown.push(...objects.map((object) => ({ who: this.#who, how, since, at, object })));
  }

  get #asHim(): Pick<Request, 'user'> {
    return { user: { username: this.#who, groups: ['system:authenticated'] } };
  }

  #urlWith(query: Readonly<Record<string, string>>): string {
    const own = this.#own === '' ? query : { ...query, labelSelector: this.#own };
    return `${this.#url}?${new URLSearchParams(own)}`;
  }
}

const isSame = (left: Asked | undefined, right: Asked) => left?.anyOf?.join() === right.anyOf?.join();

export function snapshotIn(object: JsonObject): Snapshot {
  return {
    ...labelledOf(object),
    rv: Number(metadataOf(object).resourceVersion),
    phase: String(objectAt(object.status).phase),
    token: String(objectAt(object.spec).token),
  };
}
