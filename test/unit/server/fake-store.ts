import type { Collection, ObjectName } from '../../../lib/json/index.ts';
import {
  type AccessVersions,
  type Change,
  type ChangeRange,
  type ChangesBackPage,
  type HistoryPage,
  KNOWN_SCHEMAS,
  type LabelsRead,
  type ListPage,
  type ListRequest,
  nameKey,
  type ObjectState,
  type Prefetched,
  type PrefetchRequest,
  type SelectorMatches,
  type Snapshots,
  type Store,
  stateOf,
  type WriteOutcome,
  type WriteRequest,
} from '../../../lib/store/index.ts';

/**
 * Objects in a map, enough to record what the API requests of a store and to make it fail. The tests of the store
 * itself use a database.
 */
export class FakeStore implements Store {
  readonly objects = new Map<string, ObjectState>();
  readonly requests: ListRequest[] = [];
  rv = 1;

  /** Makes the methods own properties, as those of a real store are. */
  constructor() {
    const methods = [FakeStore, new.target].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype));
    for (const name of methods) {
      const method: unknown = Reflect.get(this, name);
      if (name === 'constructor' || typeof method !== 'function') continue;
      Object.assign(this, { [name]: method.bind(this) });
    }
  }

  async declare(): Promise<void> {}

  within(_deadline: AbortSignal): Store {
    return this;
  }

  async get(collection: Collection, name: ObjectName): Promise<ObjectState | undefined> {
    return this.objects.get(`${collection} ${nameKey(name)}`);
  }

  async write(
    collection: Collection,
    name: ObjectName,
    change: Change,
    { dryRun = false }: WriteRequest = {},
  ): Promise<WriteOutcome> {
    const key = `${collection} ${nameKey(name)}`;
    const before = this.objects.get(key);
    const mutation = await change(before);
    if (mutation.kind === 'none') return { kind: 'none', before, after: before };
    if (dryRun) return { kind: mutation.kind, before, after: stateOf(name, before?.rv ?? 0, mutation.body) };
    this.rv += 1;
    const after = stateOf(name, this.rv, mutation.body);
    if (mutation.kind === 'put') {
      this.objects.set(key, after);
    } else {
      this.objects.delete(key);
    }
    return { kind: mutation.kind, before, after };
  }

  async prefetch({ objects, collections }: PrefetchRequest): Promise<Prefetched> {
    const known = objects.map(({ collection, name }) => this.objects.get(`${collection} ${nameKey(name)}`));
    return { objects: known.map((state) => ({ at: 0, state })), snapshots: await this.snapshot(collections) };
  }

  async list(collection: Collection, request: ListRequest): Promise<ListPage> {
    this.requests.push(request);
    const all = [...this.objects].filter(([key]) => key.startsWith(`${collection} `));
    return { rv: this.rv, items: all.map(([, state]) => state) };
  }

  async visitLabels(): Promise<LabelsRead> {
    return { rv: this.rv, count: 0 };
  }

  async accessVersions(): Promise<AccessVersions> {
    return new Map();
  }

  async ruleVersions(): ReturnType<Store['ruleVersions']> {
    return undefined;
  }

  async schema(): Promise<number> {
    return KNOWN_SCHEMAS.newest;
  }

  async lastSeen(): ReturnType<Store['lastSeen']> {
    return new Map();
  }

  async noteSeen(): Promise<boolean> {
    return true;
  }

  async head(): Promise<number> {
    return this.rv;
  }

  async snapshot(collections: readonly Collection[]): Promise<Snapshots> {
    return new Map(
      collections.map((collection) => [
        collection,
        [...this.objects].filter(([key]) => key.startsWith(`${collection} `)).map(([, state]) => state),
      ]),
    );
  }

  async reservationHolders(): Promise<ReadonlyMap<string, string>> {
    return new Map();
  }

  async selecting(): Promise<SelectorMatches> {
    return { found: [], tally: { queries: 0, rows: 0, carriers: 0 } };
  }

  async turn(): Promise<number> {
    return 0;
  }

  async nextChanges(_collection: Collection, after: number): Promise<ChangeRange> {
    return { upTo: after, changes: [] };
  }

  async decidedChanges(_collection: Collection, after: number): Promise<ChangeRange> {
    return { upTo: after, changes: [] };
  }

  async arrived(_collection: Collection, after: number): Promise<number> {
    return after;
  }

  async historyOf(): Promise<HistoryPage> {
    return { changes: [], end: 'Expired' };
  }

  async changesBack(): Promise<ChangesBackPage> {
    return { changes: [], end: 'Reached' };
  }

  async versionAt(): Promise<number> {
    return this.rv;
  }

  async watermarks() {
    return { settled: this.rv, compacted: 0, floor: 0 };
  }

  async raise(): Promise<void> {}
}
