import { beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../../../lib/platform/index.ts';
import type { Labels } from '../../../../../lib/selectors/index.ts';
import { createApi, readingVerbs } from '../../../../../lib/server/index.ts';
import type { Store, Table } from '../../../../../lib/store/index.ts';
import { ADMIN } from '../../../../support/service/admin.ts';
import { createMemoryTable } from '../../../../support/store/memory-table.ts';
import { openStore, put } from '../../../../support/store/store-fixture.ts';
import { clock, countingRandom } from '../../fixtures.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let table: Table;
let store: Store;

beforeAll(async () => {
  table = createMemoryTable();
  store = openStore(table);
  const labels: Labels[] = [
    { app: 'web', tier: 'front' },
    { app: 'web', tier: 'back' },
    { app: 'api', tier: 'back' },
    { app: 'web' },
  ];
  for (const [at, each] of labels.entries()) {
    await put(store, 'core/pods', `pod-${at}`, { labels: each, spec: { nodeName: `n${at % 2}` } });
  }
  await put(store, 'core/pods', 'other/pod', { labels: { app: 'web', tier: 'front' } });
  for (let at = 0; at < 10; at += 1) {
    await put(store, 'core/configmaps', `c${String(at).padStart(5, '0')}`, { labels: { constructor: 'x' } });
  }
});

async function get(target: string, { accept = 'application/json', reading = store } = {}) {
  const [path = '', query = ''] = target.split('?');
  const watches = {
    open: () => {
      throw new RangeError('nothing is watched here');
    },
  };
  const api = createApi({
    verbs: readingVerbs,
    store: reading,
    watches,
    clock,
    random: countingRandom(),
    logger: silentLogger,
    announce: async () => {},
  });
  const request = {
    method: 'GET',
    path,
    query: new URLSearchParams(query),
    headers: { accept },
    user: ADMIN,
  };
  const { status, headers, body } = await api.handle(request, new AbortController().signal);
  return { status, headers, answer: JSON.parse(String(body)) };
}

describe('?facets', () => {
  it('Facets count the values of labels among the matching objects', async () => {
    const { status, answer } = await get(`${PODS}?facets=tier,app&labelSelector=app`);
    expect(status).toBe(200);
    expect(answer).toEqual({
      kind: 'Facets',
      apiVersion: 'winnow.dev/v1',
      metadata: { resourceVersion: String(await store.head('core/pods')) },
      count: 4,
      facets: [
        {
          key: 'tier',
          distinct: 2,
          absent: 1,
          values: [
            { value: 'back', count: 2 },
            { value: 'front', count: 1 },
          ],
        },
        {
          key: 'app',
          distinct: 2,
          absent: 0,
          values: [
            { value: 'web', count: 3 },
            { value: 'api', count: 1 },
          ],
        },
      ],
    });
  });

  it('Facets count in all namespaces, and by fields', async () => {
    expect((await get('/api/v1/pods?facets=tier')).answer.count).toBe(5);
    expect((await get(`${PODS}?facets=tier&fieldSelector=spec.nodeName=n0`)).answer.count).toBe(2);
    expect((await get(`${PODS}?facets=tier&fieldSelector=metadata.name=pod-1`)).answer.count).toBe(1);
  });

  it('Facets count labels whose names are those of inherited properties', async () => {
    const path = '/api/v1/namespaces/default';
    expect((await get(`${path}/pods?facets=constructor`)).answer.facets[0]).toMatchObject({ absent: 4 });
    expect((await get(`${path}/configmaps?facets=constructor`)).answer.facets[0]).toMatchObject({
      values: [{ value: 'x', count: 10 }],
    });
  });

  it('Facets are a Table if requested', async () => {
    const { answer } = await get(`${PODS}?facets=tier`, { accept: TABLE });
    expect(answer.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['tier', 'back', 2],
      ['tier', 'front', 1],
      ['tier', '<none>', 1],
    ]);
  });

  it('facets=* counts every label key, the most frequent first', async () => {
    const { answer } = await get(`${PODS}?facets=*&labelSelector=app=web`);
    expect([answer.count, answer.keys]).toEqual([3, 2]);
    expect(answer.facets.map(({ key, absent }: Record<string, unknown>) => [key, absent])).toEqual([
      ['app', 0],
      ['tier', 1],
    ]);
    const path = '/api/v1/namespaces/default/configmaps';
    expect((await get(`${path}?facets=*`)).answer.facets).toEqual([
      { key: 'constructor', distinct: 1, absent: 0, values: [{ value: 'x', count: 10 }] },
    ]);
  });

  it('joint=true counts the combinations of values, also of objects without a label', async () => {
    const { answer } = await get(`${PODS}?facets=app,tier&joint=true`);
    expect(answer.facets.length).toBe(2);
    expect(answer.joint).toEqual({
      keys: ['app', 'tier'],
      distinct: 4,
      cells: [
        { values: ['api', 'back'], count: 1 },
        { values: ['web', 'back'], count: 1 },
        { values: ['web', 'front'], count: 1 },
        { values: ['web', null], count: 1 },
      ],
    });
  });

  it('Joint facets are a Table with a column for each label key', async () => {
    const { answer } = await get(`${PODS}?facets=app,tier&joint=true&labelSelector=app=web`, {
      accept: TABLE,
    });
    expect(answer.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'app',
      'tier',
      'Count',
    ]);
    expect(answer.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['web', 'back', 1],
      ['web', 'front', 1],
      ['web', '<none>', 1],
    ]);
  });

  it('facets=* refuses objects with too many different labels', async () => {
    const many: Store = {
      ...store,
      within: () => many,
      visitLabels: async (_collection, _request, visit) => {
        for (let at = 0; at <= 200_000; at += 1) visit({ [`k${at % 7}`]: `v${at}` });
        return { rv: 1, count: 200_001 };
      },
    };
    const { status, answer } = await get(`${PODS}?facets=*`, { reading: many });
    expect([status, answer.message]).toEqual([413, expect.stringContaining('name label keys, or narrow')]);
    expect((await get(`${PODS}?facets=k0`, { reading: many })).answer.facets[0].distinct).toBe(28_572);
  });

  it('Facets read no object if an index has the labels, and report their cost', async () => {
    const { headers, answer } = await get(`${PODS}?facets=tier&labelSelector=app&explain=true`);
    expect(headers['winnow-explain']).toMatch(/access=index; .*matches=4/);
    expect(answer.rows.map(({ cells }: { cells: unknown[] }) => cells[0])).not.toContain('objects');
  });

  it.each([
    [`${PODS}?facets=`, 'facets: name one or more label keys'],
    [`${PODS}?facets=a/b/c`, 'facets: "a/b/c" is not a valid label key'],
    [`${PODS}?facets=*,app`, 'facets: "*" is not a valid label key'],
    [`${PODS}?joint=true`, 'joint: name 2 to 4 label keys in facets'],
    [`${PODS}?facets=app&joint=true`, 'joint: name 2 to 4 label keys in facets'],
    [`${PODS}?facets=*&joint=1`, 'joint: name 2 to 4 label keys in facets'],
    [`${PODS}?facets=a,b,c,d,e&joint=true`, 'joint: name 2 to 4 label keys in facets'],
    [`${PODS}?facets=app,tier&joint=yes`, 'joint: "yes" is neither true nor false'],
    [`${PODS}?facets=app&limit=1`, 'limit is not allowed with facets'],
    [`${PODS}?facets=${Array.from({ length: 17 }, (_, at) => `k${at}`)}`, '17 label keys'],
    [`${PODS}?sortBy=a/b/c`, 'sortBy: "a/b/c" is not a valid label key'],
    [`${PODS}?sortBy=app&resourceVersion=7`, 'resourceVersion is not allowed with sortBy'],
  ])('The facets request %s is refused', async (target, why) => {
    const { status, answer } = await get(target);
    expect([status, answer.message]).toEqual([400, expect.stringContaining(why)]);
  });

  it('Facets that would take too long to read are refused with a message', async () => {
    const few: Store = {
      ...store,
      within: () => few,
      visitLabels: (collection, request, visit) =>
        store.visitLabels(collection, { ...request, most: { rows: 3, candidates: 4 } }, visit),
    };
    const { status, answer } = await get(`${PODS}?facets=tier`, { reading: few });
    expect([status, answer.message]).toEqual([413, expect.stringContaining('without a label index')]);
    expect((await get(`${PODS}?facets=tier&labelSelector=app`, { reading: few })).status).toBe(200);
    // Each object is read, though hardly one is counted.
    const one = `${PODS}?facets=tier&fieldSelector=metadata.name!=pod-0,spec.nodeName=nowhere`;
    expect((await get(one, { reading: few })).status).toBe(413);
  });
});

describe('?sortBy', () => {
  const names = async (query: string) => {
    const { answer } = await get(`${PODS}?${query}`);
    return answer.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };

  it('sortBy sorts by the value of a label, then by name; objects without the label are last', async () => {
    expect(await names('sortBy=tier')).toEqual(['pod-1', 'pod-2', 'pod-0', 'pod-3']);
    expect(await names('sortBy=-tier')).toEqual(['pod-0', 'pod-1', 'pod-2', 'pod-3']);
  });

  it('sortBy returns the first matching objects up to the limit', async () => {
    expect(await names('sortBy=tier&limit=2&labelSelector=app=web')).toEqual(['pod-1', 'pod-0']);
  });

  it('sortBy refuses more objects than it can sort', async () => {
    const few: Store = {
      ...store,
      within: () => few,
      list: (collection, request) => store.list(collection, { ...request, limit: 2 }),
    };
    const { status, answer } = await get(`${PODS}?sortBy=tier`, { reading: few });
    expect([status, answer.message]).toEqual([413, expect.stringContaining('too many objects to sort')]);
  });
});
