import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../lib/json/index.ts';
import { storeWith } from '../../../../../lib/server/registry/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../../support/service/memory-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const HISTORIES = '/apis/winnow.dev/v1/namespaces/default/histories';
const EVERYWHERE = '/apis/winnow.dev/v1/histories';
const OF_MAPS = `${HISTORIES}?fieldSelector=resource%3Dconfigmaps`;
const MERGE = 'application/merge-patch+json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const make = (name: string, labels: JsonObject = {}, path = MAPS) =>
  api.ask('POST', path, { metadata: { name, labels }, data: { a: '1' } });
const merge = (path: string, body: JsonObject) => api.ask('PATCH', path, body, MERGE);
const label = (name: string, labels: JsonObject) => merge(`${MAPS}/${name}`, { metadata: { labels } });
const itemsOf = ({ items }: JsonObject) => items as JsonObject[];
const told = (list: JsonObject) =>
  itemsOf(list).map(({ type, metadata, resourceVersion }) =>
    [type, (metadata as JsonObject).name, resourceVersion].join(' '),
  );
const continueOf = ({ metadata }: JsonObject) => (metadata as JsonObject).continue as string | undefined;
const refusalOf = async (path: string) => {
  const { status, body } = await api.send('GET', path);
  return `${status} ${body.message}`;
};

describe('LIST of histories', () => {
  it('the list has the changes of all objects of a resource, newest first', async () => {
    await make('m');
    await make('n');
    await label('m', { a: 'b' });
    await api.ask('DELETE', `${MAPS}/n`);
    const list = await api.ask('GET', OF_MAPS);
    expect(list).toMatchObject({ kind: 'HistoryList', metadata: { resourceVersion: '5' }, end: 'Reached' });
    expect(told(list)).toEqual(['Deleted n 5', 'Updated m 4', 'Created n 3', 'Created m 2']);
  });

  it('with a selector, the list tells what entered the set, changed in it, and left it', async () => {
    await make('m', { app: 'web' });
    await make('n', { app: 'db' });
    await label('n', { app: 'web' });
    await merge(`${MAPS}/m`, { data: { a: '2' } });
    await label('m', { app: null });
    await merge(`${MAPS}/m`, { data: { a: '3' } });
    await api.ask('DELETE', `${MAPS}/n`);
    const list = await api.ask('GET', `${OF_MAPS}&labelSelector=app%3Dweb`);
    expect(told(list)).toEqual(['Left n 8', 'Left m 6', 'Changed m 5', 'Entered n 4', 'Entered m 2']);
    expect(itemsOf(list)[1]?.patch).toEqual([{ op: 'remove', path: '/metadata/labels' }]);
  });

  it('a field selector selects a set too, and a status that changes moves objects through it', async () => {
    const pod = (name: string) =>
      api.ask('POST', PODS, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await pod('p');
    await pod('q');
    await merge(`${PODS}/p/status`, { status: { phase: 'Running' } });
    await merge(`${PODS}/p/status`, { status: { hostIP: '10.0.0.1' } });
    await merge(`${PODS}/p/status`, { status: { phase: 'Failed' } });
    const running = `${HISTORIES}?fieldSelector=resource%3Dpods,status.phase%3DRunning`;
    expect(told(await api.ask('GET', running))).toEqual(['Left p 6', 'Entered p 4']);
    expect(told(await api.ask('GET', `${running}&all=true`))).toEqual([
      'Left p 6',
      'Changed p 5',
      'Entered p 4',
    ]);
    const pods = `${HISTORIES}?fieldSelector=resource%3Dpods`;
    expect(told(await api.ask('GET', pods))).toEqual(['Created q 3', 'Created p 2']);
  });

  it('a name selects one object with all its lives', async () => {
    for (const name of ['m', 'n']) await make(name);
    for (let life = 0; life < 2; life += 1) {
      await api.ask('DELETE', `${MAPS}/m`);
      await make('m');
    }
    expect(told(await api.ask('GET', `${OF_MAPS},metadata.name%3Dm`))).toEqual([
      'Created m 7',
      'Deleted m 6',
      'Created m 5',
      'Deleted m 4',
      'Created m 2',
    ]);
  });

  it('a path without a namespace has the changes of all namespaces', async () => {
    await make('m');
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await make('m', {}, '/api/v1/namespaces/other/configmaps');
    const all = await api.ask('GET', `${EVERYWHERE}?fieldSelector=resource%3Dconfigmaps`);
    expect(itemsOf(all).map(({ metadata }) => (metadata as JsonObject).namespace)).toEqual([
      'other',
      'default',
    ]);
    expect(told(await api.ask('GET', OF_MAPS))).toEqual(['Created m 2']);
  });

  it('since and until are times, or durations back from now', async () => {
    for (const name of ['a', 'b', 'c']) {
      await make(name);
      api.memory.clock.advance(3_600_000);
    }
    const since = (text: string) => api.ask('GET', `${OF_MAPS}&${text}`);
    expect(told(await since('since=1h30m'))).toEqual(['Created c 4']);
    expect(told(await since('until=2h'))).toEqual(['Created b 3', 'Created a 2']);
    expect(told(await since('since=150m&until=90m'))).toEqual(['Created b 3']);
    expect(told(await since('since=2026-01-01T02:00:00%2B01:00&until=2026-01-01T01:00:01Z'))).toEqual([
      'Created b 3',
    ]);
  });

  it('pages of any limit have the same changes, and keep the time of the first', async () => {
    for (let at = 0; at < 12; at += 1) await make(`m${at}`, at % 3 === 0 ? { app: 'web' } : {});
    for (const query of ['', '&labelSelector=app', '&since=1h', '&until=0s']) {
      const whole = itemsOf(await api.ask('GET', `${OF_MAPS}${query}`));
      for (const limit of [1, 3, 5]) {
        const found: JsonValue[] = [];
        for (let token: string | undefined = ''; token !== undefined; ) {
          const page: JsonObject = await api.ask(
            'GET',
            `${OF_MAPS}${query}&limit=${limit}&continue=${token}`,
          );
          expect(itemsOf(page).length).toBeLessThanOrEqual(limit);
          found.push(...itemsOf(page));
          token = continueOf(page);
          api.memory.clock.advance(1_000);
        }
        expect(found).toEqual(whole);
      }
    }
  });

  it('a page reads at most 1,000 entries, and then continues even if it found nothing', async () => {
    let reads = 0;
    const store = storeWith(api.memory.world.store, (own) => ({
      changesBack: (collection, request) => {
        reads += request.entries;
        return own.changesBack(collection, request);
      },
    }));
    await make('first', { app: 'web' });
    for (let at = 0; at < 1_100; at += 1) await merge(`${MAPS}/first`, { data: { a: `x${at}` } });
    const counting = await createMemoryApi(1, undefined, { store });
    const path = `${OF_MAPS},metadata.name%3Dnone`;
    const page = await counting.ask('GET', path);
    expect([itemsOf(page), reads]).toEqual([[], 1_000]);
    const last = await counting.ask('GET', `${path}&continue=${continueOf(page)}`);
    expect([itemsOf(last), last.end]).toEqual([[], 'Reached']);
  });

  it.each([
    ['', 'fieldSelector: resource is required: name one resource'],
    ['?fieldSelector=metadata.name%3Da', 'fieldSelector: resource is required'],
    ['?fieldSelector=resource!%3Dpods', 'fieldSelector: invalid "resource!=pods"'],
    [
      '?fieldSelector=resource%3Dpods,resource%3Dsecrets',
      'fieldSelector: invalid "resource=pods,resource=secrets"',
    ],
    ['?fieldSelector=resource%3Dnone', 'fieldSelector: unknown resource "none": see kubectl api-resources'],
    ['?fieldSelector=resource%3Ddeployments', 'unknown resource "deployments": use deployments.apps'],
    ['?fieldSelector=resource%3Dhistories.winnow.dev', 'unknown resource "histories.winnow.dev"'],
    ['?fieldSelector=resource%3Dnodes', 'resource "nodes" has no namespaces'],
    ['?fieldSelector=resource%3Dpods,spec.x%3D1', 'field label not supported: spec.x'],
    ['?fieldSelector=resource%3Dpods&since=soon', 'since: invalid time "soon": use RFC 3339'],
    ['?fieldSelector=resource%3Dpods&since=-1h', 'since: invalid time "-1h"'],
    ['?fieldSelector=resource%3Dpods&until=2026-01-01', 'until: invalid time "2026-01-01"'],
    ['?fieldSelector=resource%3Dpods&since=1h&until=2h', 'since is later than until'],
    ['?fieldSelector=resource%3Dpods&resourceVersion=7', 'resourceVersion is not allowed with histories'],
    ['?fieldSelector=resource%3Dpods&limit=x', 'strconv.ParseInt'],
    ['?fieldSelector=resource%3Dpods&continue=eyJ9', 'invalid continue token'],
  ])('the request with %s is refused', async (query, why) => {
    expect(await refusalOf(`${HISTORIES}${query}`)).toMatch(
      new RegExp(`^400 .*${why.replaceAll(/[.!?*+]/g, '\\$&')}`),
    );
  });

  it('cluster-scoped objects are listed without a namespace', async () => {
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    expect(told(await api.ask('GET', `${EVERYWHERE}?fieldSelector=resource%3Dnodes`))).toEqual([
      'Created n 2',
    ]);
  });

  it('a resource of several versions is shown as stored', async () => {
    const spec = {
      scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
      maxReplicas: 3,
    };
    await api.ask('POST', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'h' },
      spec,
    });
    const [item] = itemsOf(
      await api.ask('GET', `${HISTORIES}?fieldSelector=resource%3Dhorizontalpodautoscalers.autoscaling`),
    );
    expect(item?.object).toMatchObject({ apiVersion: 'autoscaling/v2' });
  });

  it.each(['watch=true', 'watch=1'])('a watch is refused: %s', async (query) => {
    expect(await refusalOf(`${OF_MAPS}&${query}`)).toMatch(/^405 /);
    expect(await refusalOf(`/apis/winnow.dev/v1/watch/histories?fieldSelector=resource%3Dpods`)).toMatch(
      /^405 /,
    );
  });

  it('nothing but GET of the collection is allowed', async () => {
    for (const method of ['POST', 'DELETE']) expect((await api.send(method, OF_MAPS, {})).status).toBe(405);
    expect((await api.send('GET', `${HISTORIES}/x?fieldSelector=resource%3Dpods`)).status).toBe(404);
  });

  it('the list of metadata, and the Table, have the changed objects', async () => {
    await make('m');
    const { body } = await api.send('GET', OF_MAPS, undefined, undefined, TABLE);
    expect((body.rows as JsonObject[])[0]).toMatchObject({
      cells: expect.arrayContaining(['m', 'Created']),
      object: { metadata: { name: 'm', namespace: 'default' } },
    });
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const reduced = await api.send('GET', OF_MAPS, undefined, undefined, accept);
    expect(itemsOf(reduced.body).map(({ metadata }) => metadata)).toEqual([
      { name: 'm', namespace: 'default' },
    ]);
  });
});

describe('History of a table with older rows', () => {
  it('a table of an older schema has no history, and the refusal says what to do', async () => {
    await make('m');
    const store = storeWith(api.memory.world.store, () => ({ schema: async () => 3 }));
    const older = await createMemoryApi(1, undefined, { store });
    for (const path of [`${MAPS}/m/history`, OF_MAPS]) {
      const { status, body } = await older.send('GET', path);
      expect([status, body.reason, body.message]).toEqual([
        503,
        'ServiceUnavailable',
        'history needs row schema version 4. Ask an administrator to run: winnow upgrade --raise',
      ]);
    }
  });

  it('a Table warns that older changes are not shown', async () => {
    await make('m');
    const store = storeWith(api.memory.world.store, (own) => ({
      changesBack: async (collection, request) => {
        const { changes } = await own.changesBack(collection, request);
        return { changes, end: 'Expired' };
      },
    }));
    const cut = await createMemoryApi(1, undefined, { store });
    const { headers } = await cut.send('GET', OF_MAPS, undefined, undefined, TABLE);
    expect(headers.warning).toBe('299 - "older changes have expired"');
    expect((await cut.ask('GET', OF_MAPS)).end).toBe('Expired');
  });
});
