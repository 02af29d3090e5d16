import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, type JsonValue, objectAt } from '../../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../../support/service/memory-api.ts';

const DEFAULT = '/api/v1/namespaces/default';
const MAPS = `${DEFAULT}/configmaps`;
const PODS = `${DEFAULT}/pods`;
const MERGE = 'application/merge-patch+json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const map = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name, ...more },
  data: { a: '1' },
});
const merge = (path: string, body: JsonObject) => api.ask('PATCH', path, body, MERGE);
const itemsOf = ({ items }: JsonObject) => items as JsonObject[];
const historyOf = async (path: string, query = '') => api.ask('GET', `${path}/history${query}`);
const told = (list: JsonObject) =>
  itemsOf(list).map(({ type, resourceVersion, previousResourceVersion }) =>
    [type, resourceVersion, previousResourceVersion].join(' '),
  );
const continueOf = ({ metadata }: JsonObject) => (metadata as JsonObject).continue as string | undefined;

describe('GET of history', () => {
  it('history shows each change with its author, newest first', async () => {
    await api.ask('POST', MAPS, map('m', { labels: { app: 'web' } }));
    api.memory.clock.advance(1_500);
    await merge(`${MAPS}/m?fieldManager=fixer`, { metadata: { labels: { app: null } }, data: { b: '2' } });
    const list = await historyOf(`${MAPS}/m`);
    expect([list.kind, list.apiVersion, list.end, list.metadata]).toEqual([
      'HistoryList',
      'winnow.dev/v1',
      'Created',
      { resourceVersion: '3' },
    ]);
    const [updated, created] = itemsOf(list);
    const object = (await api.ask('GET', `${MAPS}/m`)).metadata as JsonObject;
    expect(updated).toEqual({
      apiVersion: 'winnow.dev/v1',
      kind: 'History',
      metadata: { namespace: 'default', name: 'm' },
      resourceVersion: '3',
      previousResourceVersion: '2',
      time: '2026-01-01T00:00:01.500Z',
      type: 'Updated',
      user: 'admin',
      manager: 'fixer',
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        resource: 'configmaps',
        namespace: 'default',
        name: 'm',
        uid: object.uid,
      },
      patch: [
        { op: 'remove', path: '/metadata/labels' },
        { op: 'add', path: '/data/b', value: '2' },
      ],
    });
    const { managedFields: _managed, resourceVersion: _version, labels: _labels, ...metadata } = object;
    const value = expect.objectContaining({
      metadata: { ...metadata, labels: { app: 'web' } },
      data: { a: '1' },
    });
    expect(created).toMatchObject({
      type: 'Created',
      manager: 'test',
      patch: [{ op: 'add', path: '', value }],
    });
    expect(created?.previousResourceVersion).toBeUndefined();
  });

  it('a change names its cause only if it set the annotation', async () => {
    const annotations = { 'kubernetes.io/change-cause': 'ticket 7' };
    await api.ask('POST', MAPS, map('m'));
    await merge(`${MAPS}/m`, { metadata: { annotations } });
    await merge(`${MAPS}/m`, { data: { a: '2' } });
    expect(itemsOf(await historyOf(`${MAPS}/m`)).map(({ cause }) => cause)).toEqual([
      undefined,
      'ticket 7',
      undefined,
    ]);
  });

  it('with states=true, each change has the object before and after as GET shows it', async () => {
    const created = await api.ask('POST', MAPS, map('m'));
    const changed = await merge(`${MAPS}/m`, { data: { a: '2' } });
    const [update, create] = itemsOf(await historyOf(`${MAPS}/m`, '?states=true'));
    expect([update?.before, update?.after]).toEqual([created, changed]);
    expect([create?.before, create?.after]).toEqual([undefined, created]);
  });

  it('changes of the status alone are left out unless all=true', async () => {
    await api.ask('POST', PODS, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await merge(`${PODS}/p/status`, { status: { phase: 'Running' } });
    await merge(`${PODS}/p`, { metadata: { labels: { a: 'b' } } });
    await merge(`${PODS}/p/status`, { status: { phase: 'Failed' } });
    expect(told(await historyOf(`${PODS}/p`))).toEqual(['Updated 4 2', 'Created 2 ']);
    expect(told(await historyOf(`${PODS}/p`, '?all=true'))).toEqual([
      'Updated 5 4',
      'Updated 4 3',
      'Updated 3 2',
      'Created 2 ',
    ]);
  });

  it('history of a deleted object begins with the delete, and that of a new one of the same name reaches it', async () => {
    await api.ask('POST', MAPS, map('m'));
    await api.ask('DELETE', `${MAPS}/m`);
    expect(told(await historyOf(`${MAPS}/m`))).toEqual(['Deleted 3 2', 'Created 2 ']);
    await api.ask('POST', MAPS, map('m'));
    const list = await historyOf(`${MAPS}/m`, '?states=true');
    expect(told(list)).toEqual(['Created 4 ', 'Deleted 3 2', 'Created 2 ']);
    const [again, deleted] = itemsOf(list);
    expect(deleted).toMatchObject({ patch: [{ op: 'remove', path: '' }], before: { data: { a: '1' } } });
    const uids = [again ?? {}, deleted ?? {}].map(({ object }) => objectAt(object).uid);
    expect(new Set(uids).size).toBe(2);
  });

  it('pages of any limit show the same changes', async () => {
    await api.ask('POST', MAPS, map('m'));
    await api.ask('DELETE', `${MAPS}/m`);
    await api.ask('POST', MAPS, map('m'));
    for (let at = 0; at < 4; at += 1) await merge(`${MAPS}/m`, { data: { a: `x${at}` } });
    const whole = itemsOf(await historyOf(`${MAPS}/m`));
    expect(whole).toHaveLength(7);
    for (const limit of [1, 2, 3, 5]) {
      const found: JsonValue[] = [];
      for (let token: string | undefined = ''; token !== undefined; ) {
        const page: JsonObject = await historyOf(`${MAPS}/m`, `?limit=${limit}&continue=${token}`);
        expect(itemsOf(page).length).toBeLessThanOrEqual(limit);
        expect([page.end === undefined, continueOf(page) === undefined]).toContain(true);
        found.push(...itemsOf(page));
        token = continueOf(page);
      }
      expect(found).toEqual(whole);
    }
  });

  it('a page has at most 50 changes', async () => {
    await api.ask('POST', MAPS, map('m'));
    for (let at = 0; at < 60; at += 1) await merge(`${MAPS}/m`, { data: { a: `x${at}` } });
    const page = await historyOf(`${MAPS}/m`, '?limit=500');
    expect([itemsOf(page).length, page.end]).toEqual([50, undefined]);
    expect(itemsOf(await historyOf(`${MAPS}/m`, `?continue=${continueOf(page)}`))).toHaveLength(11);
  });

  it('a page ends before it is too long for a buffered response', async () => {
    await api.ask('POST', MAPS, { ...map('m'), data: { a: 'x'.repeat(1_000) } });
    for (const letter of 'abcdef') await merge(`${MAPS}/m`, { data: { a: letter.repeat(1_000) } });
    const short = await createMemoryApi(1, undefined, {
      maximumBytes: 10_000,
      store: api.memory.world.store,
    });
    const page = await short.ask('GET', `${MAPS}/m/history`);
    expect(itemsOf(page).length).toBeLessThan(7);
    expect(itemsOf(page).length).toBeGreaterThan(1);
    const rest = await short.ask('GET', `${MAPS}/m/history?continue=${continueOf(page)}`);
    expect(told(rest)[0]?.split(' ')[1]).toBe(told(page).at(-1)?.split(' ')[2]);
  });

  it('a name without any change is answered with 404', async () => {
    const { status, body } = await api.send('GET', `${MAPS}/none/history`);
    expect([status, body.message]).toEqual([404, 'configmaps "none" not found']);
  });

  it.each([
    ['%%', 'it is not a JSON object'],
    [Buffer.from('{}').toString('base64url'), 'it belongs to another history'],
    ['x'.repeat(5_000), 'it is longer than 4096 characters'],
  ])('a broken continue token is refused: %#', async (token, why) => {
    const { status, body } = await api.send('GET', `${MAPS}/m/history?continue=${encodeURIComponent(token)}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(why)]);
  });

  it('a continue token of another object, or of another view, is refused', async () => {
    for (const name of ['m', 'n']) {
      await api.ask('POST', MAPS, map(name));
      await merge(`${MAPS}/${name}`, { data: { a: '2' } });
    }
    const token = continueOf(await historyOf(`${MAPS}/m`, '?limit=1'));
    for (const other of [`n/history?continue=${token}`, `m/history?all=true&continue=${token}`]) {
      const { status, body } = await api.send('GET', `${MAPS}/${other}`);
      expect([status, body.message]).toEqual([400, 'invalid continue token: it belongs to another history']);
    }
  });

  it('history of a Namespace is read at its own path', async () => {
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    await merge('/api/v1/namespaces/default', { metadata: { labels: { a: 'b' } } });
    const [item] = itemsOf(await historyOf('/api/v1/namespaces/default'));
    expect(item).toMatchObject({
      type: 'Updated',
      metadata: { name: 'default' },
      object: { kind: 'Namespace', name: 'default' },
      patch: [{ op: 'add', path: '/metadata/labels/a', value: 'b' }],
    });
  });

  it('nothing but GET is allowed', async () => {
    await api.ask('POST', MAPS, map('m'));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await api.send(method, `${MAPS}/m/history`, {})).status).toBe(405);
    }
  });

  it('a Table has one row for each change', async () => {
    await api.ask('POST', MAPS, map('m'));
    await merge(`${MAPS}/m`, { data: { a: '2' }, metadata: { labels: { b: 'c' } } });
    const { body, headers } = await api.send('GET', `${MAPS}/m/history`, undefined, undefined, TABLE);
    const names = (body.columnDefinitions as JsonObject[]).map(({ name }) => name);
    expect(names).toEqual([
      'Name',
      'Type',
      'Version',
      'User',
      'Manager',
      'Change',
      'Age',
      'Time',
      'Previous',
      'Cause',
      'Audit ID',
    ]);
    expect((body.rows as JsonObject[]).map(({ cells }) => (cells as JsonValue[]).slice(0, 7))).toEqual([
      ['m', 'Updated', '3', 'admin', 'test', '+labels,~data.a', '0s'],
      ['m', 'Created', '2', 'admin', 'test', '<none>', '0s'],
    ]);
    expect(headers.warning).toBeUndefined();
  });
});

describe('GET of history of a custom kind', () => {
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { size: { type: 'integer' }, [name]: { type: 'string' } } },
        },
      },
    },
  });
  const definition = {
    metadata: { name: 'fleets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet' },
      versions: [version('v1', false), version('v2', true)],
    },
  };
  const FLEETS = '/apis/example.com/VERSION/namespaces/default/fleets';
  const fleets = (name: string) => FLEETS.replace('VERSION', name);
  const body = {
    apiVersion: 'example.com/v2',
    kind: 'Fleet',
    metadata: { name: 'f' },
    spec: { size: 1, v2: 'x' },
  };

  it('the path names the version in which states and patches are shown', async () => {
    await api.ask('POST', DEFINITIONS, definition);
    await api.ask('POST', fleets('v2'), body);
    await merge(`${fleets('v2')}/f`, { spec: { size: 2 } });
    for (const name of ['v1', 'v2']) {
      const present = await api.ask('GET', `${fleets(name)}/f`);
      const [update] = itemsOf(await historyOf(`${fleets(name)}/f`, '?states=true'));
      expect(update).toMatchObject({
        object: { apiVersion: `example.com/${name}`, kind: 'Fleet' },
        after: present,
        patch: expect.arrayContaining([{ op: 'replace', path: '/spec/size', value: 2 }]),
      });
    }
    const [listed] = itemsOf(
      await api.ask(
        'GET',
        '/apis/winnow.dev/v1/histories?fieldSelector=resource%3Dfleets.example.com&states=true',
      ),
    );
    expect(listed).toMatchObject({ object: { apiVersion: 'example.com/v2' }, after: { spec: { v2: 'x' } } });
  });

  it('history shows nothing of a former definition of the kind', async () => {
    const histories = '/apis/winnow.dev/v1/histories?fieldSelector=resource%3Dfleets.example.com';
    await api.ask('POST', DEFINITIONS, definition);
    await api.ask('POST', fleets('v2'), { ...body, spec: { v2: 'former' } });
    await api.ask('DELETE', `${DEFINITIONS}/fleets.example.com`);
    await api.memory.minutes(3);
    await api.ask('POST', DEFINITIONS, definition);
    expect(await api.ask('GET', histories)).toMatchObject({ items: [], end: 'Redefined' });
    expect((await api.send('GET', `${fleets('v2')}/f/history`)).status).toBe(404);
    await api.ask('POST', fleets('v2'), body);
    for (const list of [await historyOf(`${fleets('v2')}/f`), await api.ask('GET', histories)]) {
      expect(itemsOf(list).map(({ type }) => type)).toEqual(['Created']);
      expect(JSON.stringify(list)).not.toMatch(/former/);
    }
  });

  it('a kind that is called history keeps its paths in namespaces', async () => {
    const names = { plural: 'history', singular: 'past', kind: 'Past' };
    const metadata = { name: 'history.example.com' };
    await api.ask('POST', DEFINITIONS, { ...definition, metadata, spec: { ...definition.spec, names } });
    const { kind } = await api.ask('GET', '/apis/example.com/v2/namespaces/default/history');
    expect(kind).toBe('PastList');
  });
});
