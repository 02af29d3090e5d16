import { expect, it } from '@jest/globals';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import type { QueryRequest, Table } from '../../../../lib/store/index.ts';
import { planCandidates } from '../../../../lib/store/list/candidates.ts';
import { uncounted } from '../../../../lib/store/list-reads.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const values = (count: number) => Array.from({ length: count }, (_, value) => `v${value}`).join();

function planOf(table: Table, selector: string): ReturnType<typeof planCandidates> {
  return planCandidates({
    reads: uncounted(table),
    collection: 'test/things',
    namespace: undefined,
    selector: parseSelector(selector),
    from: '!',
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
  ['app=x', { 'by-label 25': 1 }],
  ['app==x', { 'by-label 25': 1 }],
  ['app', { 'by-label-key 25': 1 }],
  ['size>3', { 'by-label-key 25': 1 }],
  ['size<3', { 'by-label-key 25': 1 }],
  ['app in (x,y)', { 'by-label 13': 2 }],
  [`app in (${values(16)})`, { 'by-label 2': 16 }],
  [`app in (${values(17)})`, { 'by-label-key 25': 1 }],
  ['a,b,c,d', { 'by-label-key 25': 4 }],
  ['a,b,c,d,e', { 'by-label-key 20': 5 }],
  ['a,b,c,d,e,f,g,h', { 'by-label-key 12': 8 }],
  ['a,b,c,d,e,f,g,h,i', { 'by-label-key 12': 8 }],
  ['app=x,!tier,zone!=a,zone notin (b)', { 'by-label 25': 1 }],
  ['!tier,zone!=a,zone notin (b)', undefined],
])('a LIST of "%s" looks first into the indexes that show it', async (selector, pages) => {
  expect(await firstPages(selector)).toEqual(pages);
});

it.each([
  ['a', 25],
  ['a,b', 25],
  ['a,b,c', 13],
  ['a,b,c,d,e', 5],
  ['a in (x,y)', 13],
])('behind a jump a LIST of "%s" looks a little at a time', async (selector, limit) => {
  const asked: unknown[] = [];
  const query: Table['query'] = async (request) => {
    asked.push(request.limit);
    await new Promise(setImmediate);
    return { rows: [{ pk: '', sk: '', name: request.from, labels: '{}' }], more: true };
  };
  const plan = await planOf({ ...createMemoryTable(), query }, selector);
  const first = asked.length;
  for (const stream of plan?.requirements.keys() ?? []) await stream.seek('default/z');
  expect(asked.slice(first)).toEqual(Array(first).fill(limit));
});

it('the indexes are looked into side by side', async () => {
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
  await planOf({ ...inner, query }, 'a,b,c=d');
  expect(most).toBe(3);
});
