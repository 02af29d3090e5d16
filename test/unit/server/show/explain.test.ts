import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { parseSelector, type Requirement } from '../../../../lib/selectors/index.ts';
import { createApi, readingVerbs, writingVerbs } from '../../../../lib/server/index.ts';
import type { ListPage, ListPlan, ListRequest, PlanStep } from '../../../../lib/store/index.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { FakeStore } from '../fake-store.ts';
import { clock, countingRandom, storedPod } from '../fixtures.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

const requirement = (text: string) => parseSelector(text).requirements[0] as Requirement;
const plan: ListPlan = {
  access: 'index',
  steps: [
    { purpose: 'head', requests: 2, rows: 2, units: 2 },
    {
      purpose: 'requirement',
      requests: 1,
      rows: 25,
      units: 0.5,
      drives: false,
      read: { requirement: requirement('app in (web,api)'), index: 'slot-0' },
    },
    {
      purpose: 'requirement',
      requests: 1,
      rows: 3,
      units: 0.5,
      drives: true,
      read: { requirement: requirement('tier'), index: 'overflow' },
      values: { how: 'values', count: 2 },
    },
    { purpose: 'window', requests: 8, rows: 4, units: 8 },
    { purpose: 'objects', requests: 1, rows: 3, units: 3 },
    { purpose: 'journal', requests: 1, rows: 8, units: 8 },
  ],
  total: { requests: 14, rows: 45, units: 22 },
  candidates: 28,
  skips: 1,
  matches: 1,
  pages: 1,
  relabelled: 4,
  overlay: { after: 93, upTo: 101, objects: 5 },
};

class PlanningStore extends FakeStore {
  plan = plan;

  override async list(collection: Collection, request: ListRequest): Promise<ListPage> {
    const page = await super.list(collection, request);
    const next = request.limit === undefined ? {} : { next: { namespace: 'default', name: 'x' } };
    return { ...page, ...next, ...(request.explain === true && { plan: this.plan }) };
  }
}

let store: PlanningStore;

beforeEach(() => {
  store = new PlanningStore();
  store.objects.set('core/pods default/x', storedPod());
});

async function send(target: string, { method = 'GET', accept = 'application/json' } = {}) {
  const [path = '', query = ''] = target.split('?');
  const watches = {
    open: () => {
      throw new RangeError('nothing is watched here');
    },
  };
  const api = createApi({
    verbs: { ...readingVerbs, ...writingVerbs },
    store,
    watches,
    clock,
    random: countingRandom(),
    logger: silentLogger,
    announce: async () => {},
  });
  const request = { method, path, query: new URLSearchParams(query), headers: { accept }, user: ADMIN };
  const { body, ...answer } = await api.handle(request, new AbortController().signal);
  return { ...answer, text: String(body) };
}

const HEADER =
  'access=index; drives=tier; matches=1; candidates=28; rows=45; requests=14; units=22; pages=1; skips=1; relabelled=4; overlay=93..101; overlaid=5';

describe('A LIST with explain', () => {
  it.each(['explain=true', 'explain', 'explain=1', 'explain=True'])(
    'A LIST with %s returns a Table of the plan',
    async (query) => {
      const { status, headers, text } = await send(`${PODS}?${query}`);
      const { kind, metadata, columnDefinitions, rows } = JSON.parse(text);
      expect({ status, kind, header: headers['winnow-explain'] }).toEqual({
        status: 200,
        kind: 'Table',
        header: HEADER,
      });
      expect(metadata).toEqual({ resourceVersion: '1' });
      expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
        ...['Step', 'From', 'Requests', 'Rows', 'Units', 'Note'],
      ]);
      expect(rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
        ['head', 'table', 2, 2, 2, ''],
        ['requirement', 'slot-0: app in (api,web)', 1, 25, 0.5, 'used to skip names'],
        ['requirement', 'overflow: tier', 1, 3, 0.5, 'names taken from here, by 2 values'],
        ['relabel window', 'table', 8, 4, 8, '4 objects relabelled'],
        ['objects', 'table: by name', 1, 3, 3, ''],
        ['journal', 'table', 1, 8, 8, 'after 93 up to 101, over 5 objects'],
        ['total', 'overflow', 14, 45, 22, '1 match of 28 candidates, 1 page, 1 skip'],
      ]);
    },
  );

  it('A LIST with explain=text returns the plan as aligned text', async () => {
    const { headers, text } = await send(`${PODS}?explain=text`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'STEP             FROM                       REQUESTS   ROWS   UNITS   NOTE',
      'head             table                      2          2      2',
    ]);
    expect(lines).toHaveLength(plan.steps.length + 3);
  });

  it.each(['application/json', TABLE])(
    'A LIST with explain=header returns the list, and the plan in the header, to %s',
    async (accept) => {
      const { headers, text } = await send(`${PODS}?explain=header`, { accept });
      expect(headers['winnow-explain']).toBe(HEADER);
      expect(text).toBe((await send(PODS, { accept })).text);
    },
  );

  it('The plan continues with the next page', async () => {
    const { text } = await send(`${PODS}?explain=true&limit=1`);
    expect(JSON.parse(text).metadata.continue).toEqual(expect.any(String));
  });

  it('The plan reports a window that was too long, and omits long selectors in the header', async () => {
    const values = Array.from({ length: 200 }, (_, value) => `value-${value}`).join();
    const read = { requirement: requirement(`app in (${values})`), index: 'slot-3' } as const;
    const steps = plan.steps.map((step) => (step.read === undefined ? step : { ...step, read }));
    store.plan = { ...plan, steps, access: 'rows', relabelled: undefined };
    const { headers, text } = await send(`${PODS}?explain=text`);
    expect(headers['winnow-explain']?.length).toBeLessThan(500);
    expect(text).toMatch(/^relabel window .* too long to read; all rows were read instead$/m);
    expect(text).toMatch(/^total +rows .* 1 match, 1 page, 1 skip$/m);
  });

  it.each<[string, Partial<PlanStep>]>([
    ['names taken from here, 12 entries sorted', { values: { how: 'sorted', count: 12 }, drives: true }],
    ['used to skip names, by 1 value', { values: { how: 'values', count: 1 } }],
    ['too many values and entries: not used', { values: { how: 'too-many', count: 5_000 } }],
    ['not needed', { requests: 0 }],
  ])('says of a requirement on many values: %s', async (note, how) => {
    const read = { requirement: requirement('tier'), index: 'slot-1' } as const;
    const step: PlanStep = { purpose: 'requirement', requests: 3, rows: 9, units: 1.5, drives: false, read };
    store.plan = {
      ...plan,
      steps: [
        { purpose: 'slots', requests: 1, rows: 1, units: 1 },
        { ...step, ...how },
      ],
    };
    const { text } = await send(`${PODS}?explain=text`);
    expect(text).toMatch(/^label slots +table +1 +1 +1 *$/m);
    expect(text).toMatch(new RegExp(`^requirement .* ${note}$`, 'm'));
  });

  it.each(['', '?explain=false', '?explain=0'])('A LIST with "%s" does not request a plan', async (query) => {
    const { headers } = await send(`${PODS}${query}`);
    expect(headers).not.toHaveProperty('winnow-explain');
    expect(store.requests[0]?.explain ?? false).toBe(false);
  });
});

describe('The refusal of explain', () => {
  it.each([
    ['GET', `${PODS}?explain=true&watch=1`, 'explain is not allowed with watch'],
    ['GET', `${PODS}/x?explain=true`, 'explain is not allowed with get'],
    ['DELETE', `${PODS}?explain=true`, 'explain is not allowed with deletecollection'],
    ['GET', `${PODS}?explain=yaml`, 'invalid explain: "yaml"'],
  ])('Explain is refused in %s %s', async (method, target, message) => {
    const { status, text } = await send(target, { method });
    const { reason, message: told } = JSON.parse(text);
    expect({ status, reason }).toEqual({ status: 400, reason: 'BadRequest' });
    expect(told).toContain(message);
    expect(store.objects.size).toBe(1);
  });
});
