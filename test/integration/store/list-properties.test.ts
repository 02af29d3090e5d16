import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { type Labels, parseSelector } from '../../../lib/selectors/index.ts';
import {
  ContentionError,
  type ListPage,
  type ListRequest,
  type ObjectState,
  type Store,
  type Table,
} from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable } from '../../support/store/faulty-table.ts';
import { createLaggingIndexes } from '../../support/store/lagging-indexes.ts';
import { ListModel } from '../../support/store/list-model.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { freshCollection, listPages, openStore, put, remove } from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

/** The listed states, without what only those from a row have. */
const itemsOf = (pages: readonly ListPage[]) =>
  pages.flatMap(({ items }) => items.map(({ mainRv: _, ...state }) => state));

const MINUTE = 60_000;
const NAMES = ['a', 'b', 'b-1', 'c', 'other/a', 'other/b'];
const SELECTORS = [
  ...['', 'app', '!app', 'app=x', 'app!=x', 'app in (x,y)', 'app notin (x,y)', 'size>1', 'size<3'],
  ...[
    'app=x,tier',
    'app=x,tier=x',
    'app in (x,y),tier=y,size',
    'app,!tier',
    '!app,!tier',
    'none',
    'app=x,app=y',
  ],
];

const labels = fc.record(
  {
    app: fc.constantFrom('x', 'y'),
    tier: fc.constantFrom('x', 'y', ''),
    size: fc.constantFrom('1', '2', '3'),
    constructor: fc.constant('z'),
  },
  { requiredKeys: [] },
);
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ maxLength: 3 }),
  fc.array(fc.constantFrom(null, 1, {}), { maxLength: 2 }),
);
const spec = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__'),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom('a', 'b'), leaf)),
) as fc.Arbitrary<JsonObject>;
const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('put'), name: fc.constantFrom(...NAMES), labels, spec }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), name: fc.constantFrom(...NAMES) }) },
);
const list = fc.record({
  kind: fc.constant('list'),
  /** The resourceVersion as a fraction of the head at that time. Undefined for the most recent. */
  back: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  selector: fc.constantFrom(...SELECTORS),
  namespace: fc.option(fc.constantFrom('default', 'other', 'none'), { nil: undefined }),
  name: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 5 }),
  /** Whether objects of some namespaces are counted instead of all. */
  some: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  between: write,
});
const event = fc.record({ kind: fc.constantFrom('crash', 'restart', 'freeze', 'thaw', 'minutes', 'hour') });
const operation = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 6, arbitrary: list },
  { weight: 2, arbitrary: event },
);

type Write = typeof write extends fc.Arbitrary<infer One> ? One : never;
type List = typeof list extends fc.Arbitrary<infer One> ? One : never;
type Operation = Write | List | { kind: string };

/** A store on a table whose indexes can be frozen, together with the naive model. */
class Run {
  readonly #clock = createVirtualClock();
  readonly #collection = freshCollection();
  readonly #model = new ListModel();
  readonly #table;
  #store: Store;
  #frozen: number | undefined;

  constructor(table: Table) {
    this.#table = createLaggingIndexes(table);
    this.#store = openStore(this.#table, this.#clock);
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.kind) {
      case 'put':
      case 'remove':
        return this.#write(operation as Write);
      case 'list':
        return this.#list(operation as List);
      case 'crash':
        return this.#crash();
      case 'restart':
        this.#store = openStore(this.#table, this.#clock);
        return;
      case 'freeze':
        return this.#freeze();
      case 'thaw':
        this.#frozen = undefined;
        return this.#table.thaw();
      case 'minutes':
        return this.#wait(4 * MINUTE);
      default:
        return this.#forget();
    }
  }

  /** Ages the objects until only the indexes know their labels: neither the journal tail nor the window holds them. */
  async #forget(): Promise<void> {
    for (let step = 0; step < 10; step += 1) {
      this.#model.add(await put(this.#store, this.#collection, 'none/busy', { spec: { step } }));
    }
    this.#wait(60 * MINUTE);
    this.#store = openStore(this.#table, this.#clock);
  }

  #freeze(): void {
    this.#frozen ??= this.#clock.now();
    this.#table.freeze();
  }

  /** Advances the clock, and thaws the indexes before they lag longer than the relabel window. */
  #wait(milliseconds: number): void {
    this.#clock.advance(milliseconds);
    if (this.#clock.now() - (this.#frozen ?? 0) < TIMING.relabelWindow - MINUTE) return;
    this.#table.thaw();
    this.#frozen = undefined;
  }

  async #write(operation: Write): Promise<void> {
    const by = openStore(this.#table, this.#clock);
    const outcome =
      'spec' in operation
        ? await put(by, this.#collection, operation.name, operation)
        : await remove(by, this.#collection, operation.name);
    this.#model.add(outcome);
  }

  async #crash(): Promise<void> {
    const dying = createFaultyTable(this.#table, { transact: () => Promise.reject(new RangeError('crash')) });
    await expect(put(openStore(dying, this.#clock), this.#collection, 'a')).rejects.toThrow(RangeError);
  }

  async #list({ back, between, some, kind: _, ...asked }: List): Promise<void> {
    const head = await this.#store.head(this.#collection);
    const at = back === undefined ? undefined : 1 + Math.floor(back * (head - 1));
    const request = { ...asked, selector: parseSelector(asked.selector), at };
    const pages = await listPages(this.#store, this.#collection, request, () => this.#write(between));
    const items = itemsOf(pages);
    expect(pages.map(({ rv }) => rv)).toEqual(pages.map(() => at ?? head));
    expect(items).toEqual(this.#model.list(at ?? head, request));
    for (const page of pages.slice(0, -1)) expect(page.items).toHaveLength(asked.limit ?? 0);
    if (back === undefined) await this.#count(request, some);
  }

  /** Counts the same objects by their entries in a label index. */
  async #count({ selector, namespace, name }: ListRequest, some: boolean): Promise<void> {
    const namespaces = some && namespace === undefined ? ['other', 'default', 'away'] : undefined;
    const asked = { selector, ...(namespace && { namespace }), ...(name && { name }) };
    const isAmong = (one: ObjectState) => namespaces?.includes(one.name.namespace) !== false;
    const counted = { ...asked, ...(namespaces && { namespaces }) };
    const most = { rows: 1_000, candidates: 1_000 };
    const textOf = (labels: Labels) => JSON.stringify(Object.entries(labels).sort());
    const labels: string[] = [];
    const { rv } = await this.#store.visitLabels(this.#collection, { ...counted, most }, (one) => {
      labels.push(textOf(one));
    });
    expect(labels.sort()).toEqual(
      this.#model
        .list(rv, asked)
        .filter(isAmong)
        .map((one) => textOf(one.labels))
        .sort(),
    );
  }
}

async function perform(table: Table, operations: readonly Operation[]): Promise<void> {
  const run = new Run(table);
  for (const operation of operations) await run.perform(operation);
}

describe('every LIST compared with a naive model', () => {
  let table: Table;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ table, stop } = await startTable());
  });
  afterAll(() => stop());

  it('every LIST equals the naive model at any resourceVersion on a table in memory', async () => {
    const operations = fc.array(operation, { minLength: 20, maxLength: 80, size: 'max' });
    const property = fc.asyncProperty(operations, (all) => perform(createMemoryTable(), all));
    await fc.assert(property, { numRuns: 120 });
  });

  it('every LIST equals the naive model at any resourceVersion on DynamoDB', async () => {
    const operations = fc.array(operation, { minLength: 300, maxLength: 300 });
    const property = fc.asyncProperty(operations, (all) => perform(table, all));
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });

  it('every LIST equals the naive model during four concurrent writers', async () => {
    const collection = freshCollection();
    const model = new ListModel();
    const lists: (() => void)[] = [];
    let writing = 4;
    const writer = async (which: number) => {
      const store = openStore(table);
      for (let round = 0; round < 20; round += 1) model.add(await change(store, collection, which + round));
      writing -= 1;
    };
    const reader = async (selector: string, limit: number | undefined) => {
      const store = openStore(table);
      const request = { selector: parseSelector(selector), limit };
      while (writing > 0) {
        const pages = await listPages(store, collection, request);
        const items = itemsOf(pages);
        lists.push(() => expect(items).toEqual(model.list(pages[0]?.rv ?? 0, request)));
      }
    };
    await Promise.all(
      [0, 1, 2, 3].map(writer).concat(reader('app=x', undefined), reader('app', 2), reader('', 3)),
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const check of lists) check();
  });
});

/** One step of a writer: a create, relabel or delete that may conflict with those of other writers. */
async function change(store: Store, collection: Collection, step: number) {
  const name = NAMES[step % NAMES.length] ?? '';
  for (;;) {
    try {
      if (step % 5 === 4) return await remove(store, collection, name);
      return await put(store, collection, name, { labels: { app: step % 2 ? 'x' : 'y' }, spec: { step } });
    } catch (error) {
      if (!(error instanceof ContentionError)) throw error;
    }
  }
}
