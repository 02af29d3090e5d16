import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, jsonEquals, objectAt, valueAt } from '../../../lib/json/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const pod = (name: string, labels: JsonObject, ready = 'True') => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
async function make(name: string, labels: JsonObject): Promise<void> {
  await service.http.post(PODS, pod(name, labels));
}
const setReady = (name: string, status: string) =>
  service.http.merge(`${PODS}/${name}/status`, {
    status: { conditions: [{ type: 'Ready', status }] },
  });
const count = (name: string, spec: JsonObject) =>
  service.http.send('POST', TALLIES, {
    body: { apiVersion: 'winnow.dev/v1', kind: 'Tally', metadata: { name }, spec },
  });

/** Waits until the status of a Tally has the expected values. */
async function says(name: string, expected: JsonObject): Promise<void> {
  await eventually(`${name} says ${JSON.stringify(expected)}`, async () => {
    const { body } = await service.http.get(`${TALLIES}/${name}`);
    const { phase, count, groups } = objectAt(valueAt(body as unknown as JsonObject, 'status'));
    return jsonEquals({ phase, count, ...(groups !== undefined && { groups }) } as JsonObject, expected);
  });
}

describe('a Tally of a running Winnow', () => {
  it('a Tally counts in total and by labels, and follows every change', async () => {
    for (const at of [1, 2, 3]) await make(`web-${at}`, { app: 'web', zone: at === 1 ? 'a' : 'b' });
    await make('api', { app: 'api' });
    await count('web', {
      resource: { resource: 'pods' },
      labelSelector: 'app',
      groupBy: ['app', 'zone'],
      bounds: { max: 4 },
    });
    const group = (app: string, zone: string | undefined, count: number) => ({
      labels: { app, ...(zone && { zone }) },
      count,
    });
    const [a, b] = [group('web', 'a', 1), group('web', 'b', 2)];
    await says('web', { phase: 'Within', count: 4, groups: [group('api', undefined, 1), a, b] });
    await make('web-4', { app: 'web', zone: 'a' });
    await service.http.delete(`${PODS}/api`);
    await service.http.merge(`${PODS}/web-3`, { metadata: { labels: { zone: 'a' } } });
    await says('web', { phase: 'Within', count: 4, groups: [group('web', 'a', 3), group('web', 'b', 1)] });
  });

  it('an edited Tally counts again, and is shown in a Table', async () => {
    await service.http.merge(`${TALLIES}/web`, {
      spec: { labelSelector: 'app=web,zone=a', groupBy: [], bounds: { min: 4, max: 9 } },
    });
    await says('web', { phase: 'Below', count: 3 });
    const { body } = await service.http.ask('GET', TALLIES, { headers: { accept: TABLE } });
    const [row] = valueAt(body as unknown as JsonObject, 'rows') as { cells: unknown[] }[];
    expect(row?.cells.slice(0, 6)).toEqual(['web', 'pods', 'app=web,zone=a', 3, '4..9', 'Below']);
  });

  it('a subscription to a Tally reports when ready pods fall below its bound and when they recover', async () => {
    await count('ready', {
      resource: { resource: 'pods' },
      labelSelector: 'app=web',
      fieldSelector: 'Ready=True',
      bounds: { min: 1 },
    });
    await says('ready', { phase: 'Below', count: 0 });
    const inbox = await service.subscribe('too-few', {
      resource: { group: 'winnow.dev', resource: 'tallies' },
      fieldSelector: 'metadata.name=ready,status.phase=Below',
      start: 'snapshot',
    });
    inbox.read();
    const told = async (count: number) => {
      const isChange = ({ type }: { type: string }) => type !== 'BOOKMARK';
      const events = await inbox.until((all) => all.filter(isChange).length >= count);
      return events.filter(isChange).map(({ type }) => type);
    };
    expect(await told(1)).toEqual(['ADDED']);
    await setReady('web-1', 'True');
    await says('ready', { phase: 'Within', count: 1 });
    expect(await told(2)).toEqual(['ADDED', 'DELETED']);
    await setReady('web-1', 'False');
    expect(await told(3)).toEqual(['ADDED', 'DELETED', 'ADDED']);
  });

  it('a Tally counts the objects of namespaces while their labels match', async () => {
    const label = (name: string, team: string) =>
      service.http.merge(`/api/v1/namespaces/${name}`, { metadata: { labels: { team } } });
    for (const name of ['north', 'south']) {
      await service.http.post('/api/v1/namespaces', { metadata: { name, labels: { team: name } } });
      for (const at of [1, 2]) {
        await service.http.post(`/api/v1/namespaces/${name}/pods`, pod(`p-${at}`, { app: 'team' }));
      }
    }
    await count('team', {
      resource: { resource: 'pods' },
      labelSelector: 'app=team',
      namespaceSelector: { matchLabels: { team: 'north' } },
      bounds: { max: 2 },
    });
    await says('team', { phase: 'Within', count: 2 });
    await label('south', 'north');
    await says('team', { phase: 'Above', count: 4 });
    await service.http.delete('/api/v1/namespaces/north/pods/p-1');
    await says('team', { phase: 'Above', count: 3 });
    await label('north', 'none');
    await says('team', { phase: 'Within', count: 2 });
    await service.http.delete('/api/v1/namespaces/south');
    await says('team', { phase: 'Within', count: 0 });
  });

  it('a Tally that selects namespaces in two ways is refused', async () => {
    const { status, body } = await count('wrong', {
      resource: { resource: 'pods' },
      namespaces: 'All',
      namespaceSelector: {},
    });
    expect([status, valueAt(body as unknown as JsonObject, 'details.causes')]).toEqual([
      422,
      [expect.objectContaining({ field: 'spec.namespaceSelector' })],
    ]);
  });

  it('a Tally with contradictory bounds is refused', async () => {
    const { status, body } = await count('wrong', {
      resource: { resource: 'pods' },
      bounds: { min: 2, max: 1 },
    });
    expect([status, valueAt(body as unknown as JsonObject, 'details.causes')]).toEqual([
      422,
      [expect.objectContaining({ field: 'spec.bounds.max' })],
    ]);
  });

  it('deleted Tallies leave nothing behind', async () => {
    for (const name of ['web', 'ready', 'team']) await service.http.delete(`${TALLIES}/${name}`);
    await eventually('the Tallies are gone', async () => (await service.http.names(TALLIES)).length === 0);
    expect(service.problems).toEqual([]);
  });
});
