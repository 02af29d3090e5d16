import { expect, it } from '@jest/globals';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import type { QueryRequest, Table } from '../../../../lib/store/index.ts';
import { planCandidates } from '../../../../lib/store/list/candidates.ts';
import { uncounted } from '../../../../lib/store/list-reads.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const values = (count: number) => Array.from({ length: count }, (_, value) => `v${value}`).join();

function planOf(table: Table, selector: string): ReturnType<typeof planCandidates> {
  return planCandidates({
    reads: uncounted(table),
    collection: 'test/things',
    namespace: undefined,
    selector: parseSelector(selector),
    from: '!',
    // The first key has the first slot, and so on; the last one has none.
    locate: async (keys) => new Map(keys.map((key, at) => [key, key === 'late' ? 'overflow' : at])),
  });
}

/** The first pages that are asked for, as `index limit`, with how many of the same. */
async function firstPages(selector: string): Promise<Record<string, number> | undefined> {
  const asked: QueryRequest[] = [];
  const inner = createMemoryTable();
  const query: Table['query'] = (request) => {
    asked.push(request);
    return inner.query(request);
  };
  const plan = await planOf({ ...inner, query }, selector);
  const spelled = Map.groupBy(asked, ({ index, limit }) => `${index} ${limit}`);
  return plan && Object.fromEntries([...spelled].map(([page, same]) => [page, same.length]));
}

it.each([
  ['app=x', { 'slot-0 25': 1 }],
  ['app==x', { 'slot-0 25': 1 }],
  ['late=x', { 'overflow 25': 1 }],
  ['late', { 'overflow 25': 1 }],
  ['app', { 'slot-0 25': 1 }],
  ['size>3', { 'slot-0 25': 1 }],
  ['size<3', { 'slot-0 25': 1 }],
  ['app in (x,y)', { 'slot-0 13': 2 }],
  [`app in (${values(16)})`, { 'slot-0 2': 16 }],
  [`app in (${values(17)})`, { 'slot-0 25': 1 }],
  ['app in (x,y),tier=a', { 'slot-0 13': 2, 'slot-1 25': 1 }],
  ['app=x,tier', { 'slot-0 25': 1 }],
  // Requirements stand in the order of their keys.
  ['tier,app in (x,y)', { 'slot-0 13': 2 }],
  ['a,b', { 'slot-0 25': 1, 'slot-1 25': 1 }],
  ['a=,b=,c=,d=,e=', Object.fromEntries([0, 1, 2, 3, 4].map((slot) => [`slot-${slot} 20`, 1]))],
  [
    'a=,b=,c=,d=,e=,f=,g=,h=,i=',
    Object.fromEntries([...Array(8).keys()].map((slot) => [`slot-${slot} 12`, 1])),
  ],
  ['app=x,!tier,zone!=a,zone notin (b)', { 'slot-0 25': 1 }],
  ['!tier,zone!=a,zone notin (b)', undefined],
])('a LIST of "%s" reads first pages of these indexes', async (selector, pages) => {
  expect(await firstPages(selector)).toEqual(pages);
});

it.each([
  ['a=', 25],
  ['a=,b=', 25],
  ['a=,b=,c=', 13],
  ['a=,b=,c=,d=,e=', 5],
  ['a in (x,y)', 13],
])('a LIST of "%s" reads small pages after a jump', async (selector, limit) => {
  const asked: unknown[] = [];
  const query: Table['query'] = async (request) => {
    asked.push(request.limit);
    await new Promise(setImmediate);
    const slot = /^slot-(.*)$/.exec(request.index ?? '')?.[1];
    return { rows: [{ pk: '', sk: '', [`v${slot}`]: request.from, labels: '{}' }], more: true };
  };
  const plan = await planOf({ ...createMemoryTable(), query }, selector);
  const first = asked.length;
  if (plan === undefined || plan === 'nothing') throw new Error('no index');
  for (const stream of plan.requirements.keys()) await stream.seek('default/z');
  expect(asked.slice(first)).toEqual(Array(first).fill(limit));
});

it('a LIST reads its indexes concurrently', async () => {
  let underway = 0;
  let most = 0;
  const inner = createMemoryTable();
  const query: Table['query'] = async (request) => {
    underway += 1;
    most = Math.max(most, underway);
    await new Promise(setImmediate);
    underway -= 1;
    return inner.query(request);
  };
  await planOf({ ...inner, query }, 'a=,b=,c=d');
  expect(most).toBe(3);
  most = 0;
  await planOf({ ...inner, query }, 'a,b');
  expect(most).toBe(2);
});

it('a LIST reads the first pages of requirements with few values concurrently', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const labels = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 'x'])));
  const [looks, pages] = [new Gauge(), new Gauge()];
  const query: Table['query'] = async ({ index, from, limit }) => {
    const slot = /^slot-(.*)$/.exec(index ?? '')?.[1];
    const row = { pk: '', sk: '', [`v${slot}`]: 'x!default/a', labels };
    const begins = from === '!';
    // A look is at 25 rows, a first page of five requirements at 20.
    return (limit === 25 ? looks : pages).slowly(1, () => ({ rows: begins ? [row] : [], more: begins }));
  };
  const plan = await planOf({ ...createMemoryTable(), query }, keys.join());
  expect([looks.most, pages.most]).toEqual([5, 5]);
  // All were read when the plan was made: nothing carries `x` behind the first page.
  expect(plan).toMatchObject({ stream: { ended: true } });
});

it.each([
  ['a', 17],
  ['a,b=', 4],
])('a LIST of "%s" probes the values of "a" %d times if they never end', async (selector, times) => {
  let looks = 0;
  const query: Table['query'] = async ({ index, limit }) => {
    const [, slot] = /^slot-(.*)$/.exec(index ?? '') ?? [];
    if (slot === '0' && limit === 25) looks += 1;
    return {
      rows: [{ pk: '', sk: '', [`v${slot}`]: `v${looks}!default/a`, labels: '{"a":"v"}' }],
      more: true,
    };
  };
  await planOf({ ...createMemoryTable(), query }, selector);
  expect(looks).toBe(times);
});

it('a LIST of two requirements with endless values sorts one of them and waits for it', async () => {
  const sorted: unknown[] = [];
  const gauge = new Gauge();
  let looks = 0;
  const query: Table['query'] = async ({ index, limit = 0 }) => {
    looks += 1;
    const isLook = limit === 25;
    if (!isLook) sorted.push(index);
    const [, slot] = /^slot-(.*)$/.exec(index ?? '') ?? [];
    const row = { pk: '', sk: '', [`v${slot}`]: `v${looks}!default/a`, labels: '{"a":"v","b":"v"}' };
    return gauge.slowly(5, () => ({ rows: [row], more: isLook }));
  };
  const plan = await planOf({ ...createMemoryTable(), query }, 'a,b');
  expect(sorted).toEqual(['slot-0']);
  expect(plan).toMatchObject({ stream: { ended: true } });
});
