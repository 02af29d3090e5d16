import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { everything, parseSelector, type Selector } from '../../../../lib/selectors/index.ts';
import type { Store, Table } from '../../../../lib/store/index.ts';
import { JournalTail } from '../../../../lib/store/journal-tail.ts';
import { nameAfter } from '../../../../lib/store/keys.ts';
import { LabelSlots } from '../../../../lib/store/labels/index.ts';
import { LOOKED_AT } from '../../../../lib/store/list/density.ts';
import { PlanRecorder } from '../../../../lib/store/list/list-plan.ts';
import { type Source, sourceOf } from '../../../../lib/store/list/list-sources.ts';
import { RelabelWindow } from '../../../../lib/store/relabel-window.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { createStrictLogger, freshCollection, openStore, put } from '../../../support/store/store-fixture.ts';

let table: Table;
let clock: VirtualClock;
let store: Store;
let collection: Collection;
let window: RelabelWindow;

beforeEach(() => {
  table = createMemoryTable();
  clock = createVirtualClock();
  store = openStore(table, clock);
  collection = freshCollection();
  window = new RelabelWindow({ clock, collection });
});

/** `objects` objects, relabelled one after the other, and then a journal that no longer tells of it. */
async function relabel(objects: number, writes: number): Promise<void> {
  for (let write = 0; write < writes; write += 1) {
    const name = `n${String(write % objects).padStart(4, '0')}`;
    const fourth = write % 4 === 0 ? 'yes' : 'no';
    await put(store, collection, name, { labels: { app: 'x', fourth, write: `w${write}` } });
  }
  clock.advance(60_000);
  for (let round = 0; round < 10; round += 1) await put(store, collection, 'busy', { spec: { round } });
  clock.advance(60_000);
}

/** All that a source gives for a selector, and what reading it took. */
async function readAll(selector: Selector, mostRelabels: number) {
  const reads = new PlanRecorder(table);
  const head = await store.head(collection);
  const tail = new JournalTail({ clock, logger: createStrictLogger(), collection });
  const journal = () => tail.cover(table, head);
  const slots = new LabelSlots(collection);
  const options = { reads, collection, window, slots, head: Promise.resolve(), mostRelabels, journal };
  const source = await sourceOf(options, { selector }, '!');
  const { names, pages } = await drain(source);
  const view = await journal();
  const { steps } = reads.plan({ source, pages, matches: names.length, view, touched: 0 });
  const rows = (purpose: string) => steps.find((step) => step.purpose === purpose)?.rows ?? 0;
  return { names: names.length, access: source.access, rows: rows('rows'), window: rows('window') };
}

async function drain(source: Source): Promise<{ names: string[]; pages: number }> {
  const names: string[] = [];
  let pages = 0;
  for (let from: string | undefined = '!'; from !== undefined; pages += 1) {
    const { rows, boundary } = await source.next(from, 20);
    names.push(...rows.keys());
    from = boundary && nameAfter(boundary);
  }
  return { names, pages };
}

const selector = parseSelector('app=x');
const sparse = parseSelector('fourth=yes');

describe('a LIST by an index with a long relabel window', () => {
  it('reads the whole window if that costs less than the rows', async () => {
    await relabel(40, 200);
    expect(await readAll(selector, 1_000)).toEqual({ names: 40, access: 'index', rows: 0, window: 201 });
  });

  it('stops and reads the rows if the collection is short', async () => {
    await relabel(40, 2_000);
    const { window: relabels, ...read } = await readAll(selector, 200);
    expect(read).toEqual({ names: 41, access: 'rows', rows: 41 });
    expect(relabels).toBeLessThan(1_000);
  });

  it('reads the rest of the window after as many rows, and then uses the index', async () => {
    await relabel(600, 700);
    const first = await readAll(sparse, 50);
    expect(first.access).toBe('index');
    expect(first.rows).toBeLessThan(500);
    expect(await readAll(sparse, 50)).toEqual({ names: 150, access: 'index', rows: LOOKED_AT, window: 0 });
  });

  it('does not read the window for a selector that no index answers', async () => {
    await relabel(40, 50);
    expect(await readAll(everything, 1_000)).toEqual({ names: 41, access: 'rows', rows: 41, window: 0 });
  });
});
