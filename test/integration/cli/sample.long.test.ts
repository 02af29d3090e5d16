import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection, openAccess } from '../../../cli/connection/index.ts';
import { changeSample, loadSample } from '../../../cli/sample/index.ts';
import { valueAt } from '../../../lib/json/index.ts';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { Servers } from '../../support/service/start-cli.ts';

const DEVICES = '/apis/fleet.example/v1/namespaces/default/devices';

const versionOf = async (http: HttpClient) =>
  Number(valueAt((await http.get(`${DEVICES}?limit=1`)).body, 'metadata.resourceVersion'));

describe('the sample inventory', () => {
  let service: Service;
  let connection: Connection;
  let created: number;

  beforeAll(async () => {
    service = await startService();
    connection = new Connection(openAccess({ url: service.winnow.url }), new AbortController().signal);
    created = await loadSample(connection);
  });

  afterAll(() => service.stop());

  const count = async (path: string) => (await service.http.get(path)).items.length;

  it('The sample inventory has devices, and pods whose owners exist', async () => {
    expect(created).toBeGreaterThan(350);
    expect(await count(DEVICES)).toBe(240);
    const pods = (await service.http.get('/api/v1/pods')).items;
    const sets = (await service.http.get('/apis/apps/v1/replicasets')).items;
    const uids = new Set(sets.map(({ metadata }) => String(metadata.uid)));
    const isOwned = ({ metadata: { ownerReferences } }: (typeof pods)[number]) =>
      Array.isArray(ownerReferences) && ownerReferences.some((one) => uids.has(String(valueAt(one, 'uid'))));
    expect([pods.length, pods.filter(isOwned).length]).toEqual([92, 92]);
    expect(await count('/api/v1/pods?fieldSelector=status.phase=Running')).toBe(92);
  });

  it('The Subscription and the Tallies of the sample inventory work', async () => {
    await eventually('the Subscription is synced and the Tallies count', async () => {
      const { items } = await service.http.get('/apis/winnow.dev/v1/tallies');
      const { status } = (
        await service.http.get('/apis/winnow.dev/v1/namespaces/default/subscriptions/offline-in-production')
      ).body;
      const phase = (status as { phase?: string } | undefined)?.phase;
      return phase === 'Synced' && items.every((tally) => tally.status !== undefined);
    });
  });

  it('The changes leave the objects of the user alone', async () => {
    const own = { metadata: { name: 'own', labels: { site: 'north' } } };
    await service.http.post(DEVICES, {
      apiVersion: 'fleet.example/v1',
      kind: 'Device',
      ...own,
      spec: { model: 'x' },
    });
    const searchPods = '/api/v1/namespaces/search/pods';
    await service.http.post(searchPods, { ...own, spec: podSpec() });
    const ending = new AbortController();
    const before = await versionOf(service.http);
    const changing = changeSample(connection, { signal: ending.signal, pause: 1 });
    await eventually(
      'devices changed thirty times',
      async () => (await versionOf(service.http)) > before + 30,
    );
    ending.abort();
    await changing;
    for (const path of [`${DEVICES}/own`, `${searchPods}/own`]) {
      const { metadata } = (await service.http.get(path)).body;
      expect([metadata.generation ?? 1, metadata.labels]).toEqual([1, { site: 'north' }]);
      await service.http.send('DELETE', path);
    }
  });

  it('A second load creates nothing, also after changes', async () => {
    expect(await loadSample(connection)).toBe(0);
  });

  it('The changes keep the number of objects, and touch devices and pods', async () => {
    const before = await service.http.get('/api/v1/pods');
    const devices = await versionOf(service.http);
    const ending = new AbortController();
    const changing = changeSample(connection, { signal: ending.signal, pause: 1 });
    const names = ({ items }: typeof before) => items.map(({ metadata }) => metadata.name).join();
    await eventually('a pod is replaced and devices changed twenty times', async () => {
      const pods = await service.http.get('/api/v1/pods');
      return names(pods) !== names(before) && (await versionOf(service.http)) >= devices + 20;
    });
    ending.abort();
    await changing;
    expect([await count(DEVICES), await count('/api/v1/pods')]).toEqual([240, 92]);
    const offline = await count(`${DEVICES}?labelSelector=connectivity=offline`);
    expect(offline).toBeLessThanOrEqual(0.08 * 240 + 1);
  });

  it('The changes end with an error if nothing can be changed any more', async () => {
    const nowhere = new Connection(openAccess({ url: 'http://127.0.0.1:1' }), new AbortController().signal);
    const changing = changeSample(nowhere, { signal: new AbortController().signal, pause: 1 });
    await expect(changing).rejects.toThrow('nothing listens at 127.0.0.1:1');
  });
});

it('winnow start --sample serves an inventory that changes, and a second start keeps it', async () => {
  const servers = await Servers.open();
  try {
    for (const run of ['first', 'second']) {
      const { child, http } = await servers.start(servers.within('data'), '--sample');
      expect((await http.get(DEVICES)).items.length).toBe(240);
      const before = await versionOf(http);
      await eventually(`the ${run} run changes a device`, async () => (await versionOf(http)) > before);
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
    }
  } finally {
    await servers.close();
  }
});
