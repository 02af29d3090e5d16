import { beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../lib/platform/index.ts';
import {
  anyOf,
  choicesOf,
  everything,
  type Labels,
  nothing,
  parseSelector,
  type Selector,
} from '../../../../lib/selectors/index.ts';
import { createStore, type ListPage, type Store } from '../../../../lib/store/index.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { named, thing } from '../../../support/store/store-fixture.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const THINGS = 'test/things';
const COUNT = 600;
const any = (...texts: string[]): Selector => anyOf(texts.map((text) => parseSelector(text)));

let store: Store;
const all = new Map<string, Labels>();

beforeAll(async () => {
  const clock = createVirtualClock();
  store = createStore({ table: createMemoryTable(), clock, random: seeded(1), logger: silentLogger });
  for (let at = 0; at < COUNT; at += 1) {
    const name = `t${String(at).padStart(4, '0')}`;
    const labels = { team: `t${at % 100}`, app: `a${at % 7}`, ...(at % 2 === 0 && { even: '' }) };
    all.set(name, labels);
    await store.write(THINGS, named(name), () => ({ kind: 'put', body: thing(name, labels) }));
  }
}, 60_000);

const list = (selector: Selector, limit?: number): Promise<ListPage> =>
  store.list(THINGS, { selector, explain: true, ...(limit !== undefined && { limit }) });
const matching = (selector: Selector) =>
  [...all].filter(([, labels]) => selector.matches(labels)).map(([name]) => name);

describe('a LIST of the union of several selectors', () => {
  it.each([
    [['team=t1', 'team=t2']],
    [['team=t1', 'app=a1,even']],
    [['team=t1,app=a1', 'team=t1', 'team=none']],
    [['team in (t1,t3),!even', 'even,team=t4', 'nowhere']],
    [['team=t1', '!even']],
  ])('returns each object of %j once, in order', async (texts) => {
    const selector = any(...texts);
    const { items } = await list(selector);
    expect(items.map(({ name }) => name.name)).toEqual(matching(selector));
    const first = await list(selector, 3);
    expect(first.items.map(({ name }) => name.name)).toEqual(matching(selector).slice(0, 3));
    let count = 0;
    const most = { rows: COUNT, candidates: COUNT };
    await store.visitLabels(THINGS, { selector, most }, () => {
      count += 1;
    });
    expect(count).toBe(matching(selector).length);
  });

  it('reads in proportion to its answer by indexes, and all rows if one selector has no index', async () => {
    const indexed = (await list(any('team=t1', 'team=t2,even', 'app=a1,team=t3'))).plan;
    expect([indexed?.access, indexed?.matches]).toEqual(['index', 12]);
    expect(indexed?.total.rows).toBeLessThan(COUNT / 8);
    const scanned = (await list(any('team=t1', '!even'))).plan;
    expect(scanned?.access).toBe('rows');
  });

  it('uses the only selector if there is one, and reads nothing if there is none', async () => {
    expect(anyOf([])).toBe(nothing);
    expect(anyOf([everything])).toBe(everything);
    expect(choicesOf(everything)).toEqual([everything]);
    expect((await list(any())).plan?.access).toBe('nothing');
    expect((await list(anyOf([nothing, nothing]))).plan?.access).toBe('nothing');
  });
});
