import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import type { Listing, Snapshot, WatchedEvent, WatchRecord, WatchSpell } from '../../simulation/history.ts';
import { list, type Place } from './listing.ts';
import { type SoakClient, snapshotIn } from './soak-client.ts';

const PAUSE = 200;

interface InformerOptions extends Place {
  readonly client: SoakClient;
  readonly name: string;
  readonly listings: Listing[];
}

/** An informer: lists, watches, resumes from what it saw last, and lists again when it is told to. */
export class SoakInformer {
  /** Watched up to here; undefined: it has to list. */
  seen: number | undefined;
  /** Of the state that it saw last. */
  readonly tokens = new Set<string>();
  readonly #options: InformerOptions;
  readonly #cache = new Map<string, Snapshot>();
  readonly #spells: (WatchSpell & { readonly events: WatchedEvent[] })[] = [];

  constructor(options: InformerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.seen === undefined) await this.#list();
      if (this.seen !== undefined) await this.#watch(this.seen, signal);
      if (!signal.aborted) await sleep(PAUSE);
    }
  }

  record(): WatchRecord {
    const { name: client, asked } = this.#options;
    const cache = [...this.#cache.values()].sort((left, right) => (left.object < right.object ? -1 : 1));
    return { client, asked, spells: this.#spells, cache };
  }

  async #list(): Promise<void> {
    const { client, name, listings, path, asked } = this.#options;
    const listing = await list(client, name, { path, asked });
    if (listing === undefined) return;
    listings.push(listing);
    this.#cache.clear();
    for (const item of listing.items) {
      this.#cache.set(item.object, item);
      this.tokens.add(item.token);
    }
    this.seen = listing.rv;
    this.#spells.push({ from: listing.rv, begins: 'list', events: [] });
  }

  async #watch(from: number, signal: AbortSignal): Promise<void> {
    if (this.#spells.at(-1)?.events.length !== 0) this.#spells.push({ from, begins: 'resume', events: [] });
    const { client, path, asked } = this.#options;
    const query = new URLSearchParams({
      watch: 'true',
      labelSelector: asked.labelSelector ?? '',
      resourceVersion: String(from),
      allowWatchBookmarks: 'true',
      timeoutSeconds: '20',
    });
    for await (const { type, object } of client.lines(`${path}?${query}`, signal)) {
      this.#see(String(type), object as JsonObject);
    }
  }

  #see(type: string, object: JsonObject): void {
    const at = this.#options.client.now;
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
      this.tokens.add(snapshot.token);
      if (type === 'DELETED') {
        this.#cache.delete(snapshot.object);
      } else {
        this.#cache.set(snapshot.object, snapshot);
      }
    }
  }
}
