import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, metadataOf } from '../../lib/store/index.ts';
import type { Listing, Snapshot, WatchedEvent, WatchRecord, WatchSpell } from '../simulation/history.ts';
import { PODS, type SoakClient, snapshotIn } from './soak-client.ts';

const SELECTORS = ['app=x', 'app=y,tier!=a', 'tier in (a,b)', ''];
const PAUSE = 400;

/** Lists pods by a selector, in pages of one state; undefined where it did not come to its end. */
export async function list(
  client: SoakClient,
  name: string,
  labelSelector: string,
): Promise<Listing | undefined> {
  const invoked = client.now;
  const items: Snapshot[] = [];
  const limit = Math.random() < 0.5 ? '500' : '4';
  let next = '';
  let pages = 0;
  do {
    const query = new URLSearchParams({ labelSelector, limit, ...(next !== '' && { continue: next }) });
    const answer = await client.send('GET', `${PODS}?${query}`);
    if (answer?.status !== 200) return undefined;
    const { metadata, items: page = [] } = answer.body as { metadata?: JsonObject; items?: JsonObject[] };
    items.push(...page.map(snapshotIn));
    pages += 1;
    next = String(metadata?.continue ?? '');
    const rv = Number(metadata?.resourceVersion);
    const asked = { namespace: 'default', ...(labelSelector !== '' && { labelSelector }) };
    if (next === '') return { client: name, asked, invoked, returned: client.now, rv, items, pages };
  } while (next !== '');
  return undefined;
}

export async function keepListing(
  client: SoakClient,
  name: string,
  { listings, signal }: { readonly listings: Listing[]; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const selector = SELECTORS[Math.floor(Math.random() * SELECTORS.length)] ?? '';
    const listing = await list(client, name, selector);
    if (listing !== undefined) listings.push(listing);
    await sleep(PAUSE);
  }
}

/** An informer: lists, watches, resumes from what it saw last, and lists again when it is told to. */
export class SoakInformer {
  /** Watched up to here; undefined: it has to list. */
  seen: number | undefined;
  readonly #client: SoakClient;
  readonly #name: string;
  readonly #selector: string;
  readonly #listings: Listing[];
  readonly #cache = new Map<string, Snapshot>();
  readonly #spells: (WatchSpell & { readonly events: WatchedEvent[] })[] = [];

  constructor(client: SoakClient, at: number, listings: Listing[]) {
    this.#client = client;
    this.#name = `informer-${at}`;
    this.#selector = SELECTORS[at % SELECTORS.length] ?? '';
    this.#listings = listings;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.seen === undefined) await this.#list();
      if (this.seen !== undefined) await this.#watch(this.seen, signal);
      if (!signal.aborted) await sleep(PAUSE / 2);
    }
  }

  record(): WatchRecord {
    const labelSelector = this.#selector !== '' && { labelSelector: this.#selector };
    const cache = [...this.#cache.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
    return {
      client: this.#name,
      asked: { namespace: 'default', ...labelSelector },
      spells: this.#spells,
      cache,
    };
  }

  async #list(): Promise<void> {
    const listing = await list(this.#client, this.#name, this.#selector);
    if (listing === undefined) return;
    this.#listings.push(listing);
    this.#cache.clear();
    for (const item of listing.items) this.#cache.set(item.object, item);
    this.seen = listing.rv;
    this.#spells.push({ from: listing.rv, begins: 'list', events: [] });
  }

  async #watch(from: number, signal: AbortSignal): Promise<void> {
    if (this.#spells.at(-1)?.events.length !== 0) this.#spells.push({ from, begins: 'resume', events: [] });
    const query = new URLSearchParams({
      watch: 'true',
      labelSelector: this.#selector,
      resourceVersion: String(from),
      allowWatchBookmarks: 'true',
      timeoutSeconds: '20',
    });
    for await (const { type, object } of this.#client.lines(`${PODS}?${query}`, signal)) {
      this.#see(String(type), object as JsonObject);
    }
  }

  #see(type: string, object: JsonObject): void {
    const at = this.#client.now;
    const events = this.#spells.at(-1)?.events;
    if (type === 'ERROR') {
      if (object.code !== 410) return;
      events?.push({ at, type, reason: 'gone' });
      this.seen = undefined;
    } else if (type === 'BOOKMARK') {
      this.seen = Number(metadataOf(object).resourceVersion);
      events?.push({ at, type, rv: this.seen });
    } else if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      const snapshot = snapshotIn(object);
      events?.push({ at, type, object: snapshot });
      this.seen = snapshot.rv;
      if (type === 'DELETED') {
        this.#cache.delete(snapshot.object);
      } else {
        this.#cache.set(snapshot.object, snapshot);
      }
    }
  }
}
