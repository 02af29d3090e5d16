import { expect, it } from '@jest/globals';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import type { QueryRequest, Table } from '../../../../lib/store/index.ts';
import { planCandidates } from '../../../../lib/store/list/candidates.ts';
import { uncounted } from '../../../../lib/store/list-reads.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const values = (count: number) => Array.from({ length: count }, (_, value) => `v${value}`).join();

/** The first pages that are asked for, as `index limit`, with how many of the same. */
async function firstPages(selector: string): Promise<Record<string, number> | undefined> {
  const asked: QueryRequest[] = [];
  const inner = createMemoryTable();
  const query: Table['query'] = (request) => {
    asked.push(request);
    return inner.query(request);
  };
  const plan = await planCandidates({
    reads: uncounted({ ...inner, query }),
    collection: 'test/things',
    namespace: undefined,
    selector: parseSelector(selector),
    from: '!',
  });
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
