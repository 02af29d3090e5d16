import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { parseSelector } from '../../../lib/selectors/index.ts';
import type { ListPlan, ListRequest, MeteredTable, PlanStep, Store } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable } from '../../support/store/faulty-table.ts';
import { freshCollection, openStore, put } from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

const HOUR = 3_600_000;
const clock = createVirtualClock();
let table: MeteredTable;
let stop: () => Promise<void>;
let collection: Collection;

beforeAll(async () => {
  ({ table, stop } = await startTable());
  collection = freshCollection();
  const writer = openStore(table, clock);
  for (let index = 0; index < 60; index += 1) {
    const labels = { app: index % 5 ? 'y' : 'x', ...(index % 15 === 1 && { tier: 'front' }) };
    await put(writer, collection, `n${String(index).padStart(3, '0')}`, { labels });
  }
  clock.advance(HOUR);
});
afterAll(() => stop());

async function explain(store: Store, text: string, request: Partial<ListRequest> = {}) {
  const page = await store.list(collection, { selector: parseSelector(text), ...request, explain: true });
  if (page.plan === undefined) throw new Error('no plan');
  return { ...page, plan: page.plan };
}

const rolesOf = (plan: ListPlan) =>
  plan.steps.flatMap(({ read, drives, rows }: PlanStep) =>
    read === undefined ? [] : [`${read.index} ${read.requirement} ${rows} ${drives}`],
  );
const valuesOf = (plan: ListPlan) =>
  plan.steps.flatMap((step) => (step.read === undefined ? [] : [step.values]));

const requests: [string, Partial<ListRequest>][] = [
  ['', {}],
  ['app=y,tier', {}],
  ['app in (x,z)', { limit: 7 }],
  ['!tier', {}],
  ['app', { namespace: 'default', name: 'n001' }],
  ['app=x', { namespace: 'other' }],
  ['tier=back', {}],
];

describe('the plan of a LIST', () => {
  it.each(requests)('the plan of "%s" %j counts the same as the table', async (text, request) => {
    const seen = { rows: 0, calls: 0, units: 0, requests: 0 };
    const metered = table.metered(({ units }) => {
      seen.units += units;
      seen.requests += 1;
    });
    const saw = <Answer>(answer: Answer, rows: number) => {
      seen.rows += rows;
      seen.calls += 1;
      return answer;
    };
    const counting = createFaultyTable(metered, {
      get: async (next, key) => {
        const row = await next(key);
        return saw(row, row ? 1 : 0);
      },
      query: async (next, asked) => {
        const page = await next(asked);
        return saw(page, page.rows.length);
      },
      batchGet: async (next, keys) => {
        const rows = await next(keys);
        return saw(rows, rows.length);
      },
    });
    const plain = await openStore(counting, clock).list(collection, {
      selector: parseSelector(text),
      ...request,
    });
    const { plan, ...page } = await explain(openStore(table, clock), text, request);
    expect(page).toEqual(plain);
    expect(plan.total).toEqual({ requests: seen.requests, rows: seen.rows, units: seen.units });
    expect(plan.matches).toBe(page.items.length);
    // The counting table is not metered, so that the plan counts its calls.
    const { plan: called } = await explain(openStore(counting, clock), text, request);
    expect(called.total).toEqual({ requests: seen.calls / 2, rows: seen.rows / 2, units: 0 });
  });

  it('the plan names the index and the requirement that gives the names', async () => {
    const { plan } = await explain(openStore(table, clock), 'app=y,tier=front,!none');
    expect(rolesOf(plan)).toEqual(['slot-0 app=y 25 false', 'slot-1 tier=front 4 true']);
    expect(plan).toMatchObject({ access: 'index', candidates: 29, matches: 4, pages: 1 });
  });

  it('the plan reports how a requirement on many values was read, or that it was not', async () => {
    const alone = (await explain(openStore(table, clock), 'tier')).plan;
    expect(rolesOf(alone)).toEqual(['slot-1 tier 4 true']);
    expect(valuesOf(alone)).toEqual([{ how: 'sorted', count: 4 }]);
    const values = (await explain(openStore(table, clock), 'app')).plan;
    expect(valuesOf(values)).toEqual([{ how: 'values', count: 2 }]);
    const beside = (await explain(openStore(table, clock), 'tier=front,app')).plan;
    expect(rolesOf(beside)).toEqual(['slot-0 app 0 false', 'slot-1 tier=front 4 true']);
    expect(valuesOf(beside)).toEqual([undefined, undefined]);
  });

  it('a LIST by a label key that no object has reads only heads', async () => {
    const store = openStore(table, clock);
    await explain(store, 'app=x');
    const { plan } = await explain(store, 'app=x,none=y');
    expect(plan).toMatchObject({
      access: 'nothing',
      matches: 0,
      candidates: 0,
      skips: 0,
      relabelled: undefined,
    });
    const steps = plan.steps.map(({ purpose, requests, rows }) => [purpose, requests, rows]);
    expect(steps).toEqual([
      ['head', 2, 2],
      ['slots', 1, 1],
      ['journal', 0, 0],
    ]);
    const { plan: known } = await explain(store, 'app=x');
    expect(known.steps.map(({ purpose }) => purpose)).not.toContain('slots');
  });

  it('the plan reports up to where the overlay reaches, and its number of objects', async () => {
    const store = openStore(table, clock);
    const before = await store.head(collection);
    await put(store, collection, 'n001', { labels: { app: 'x' }, spec: { changed: true } });
    await put(store, collection, 'n003', { labels: { app: 'x' }, spec: { changed: true } });
    const { plan } = await explain(openStore(table, clock), 'app', { at: before });
    expect(plan.overlay).toMatchObject({ upTo: before + 2 });
    expect(plan.overlay.after).toBeLessThanOrEqual(before);
    expect(plan.overlay.objects).toBeGreaterThanOrEqual(2);
  });

  it('a LIST has no plan by default', async () => {
    const page = await openStore(table, clock).list(collection, { selector: parseSelector('app') });
    expect(Object.keys(page)).toEqual(['rv', 'items']);
  });
});
