import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { readServiceRange } from '../../../../lib/platform/index.ts';
import { createMemoryApi, type MemoryAnswer, type MemoryApi } from '../../../support/service/memory-api.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const MERGE = 'application/merge-patch+json';
const PORTS = [{ port: 80 }];

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const create = (name: string, spec: JsonObject = {}, query = '') =>
  api.send('POST', `${SERVICES}${query}`, { metadata: { name }, spec: { ports: PORTS, ...spec } });

const patch = (name: string, spec: JsonObject) => api.send('PATCH', `${SERVICES}/${name}`, { spec }, MERGE);

const specOf = ({ status, body }: MemoryAnswer): JsonObject => {
  expect({ status, message: body.message }).toMatchObject({ status: status < 300 ? status : 'a success' });
  return objectAt(body.spec);
};

function nodePorts(answer: MemoryAnswer): unknown[] {
  const { ports } = specOf(answer);
  return (Array.isArray(ports) ? ports : []).map((port) => objectAt(port).nodePort);
}

describe('The address of a Service', () => {
  it('An address belongs to one Service, and stays', async () => {
    const addresses = new Set<unknown>();
    for (const name of ['a', 'b', 'c']) {
      const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = specOf(await create(name));
      expect(clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
      expect({ clusterIPs, ipFamilies, ipFamilyPolicy }).toEqual({
        clusterIPs: [clusterIP],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      });
      addresses.add(clusterIP);
      expect(specOf(await patch(name, { selector: { a: 'b' } })).clusterIP).toBe(clusterIP);
    }
    expect(addresses.size).toBe(3);
  });

  it('Concurrent requests give an address to one Service only', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(names.map((name) => create(name, { clusterIP: '10.96.0.10' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    const { body } = await create('e', { clusterIP: '10.96.0.10' });
    expect(body.message).toBe(
      'Service "e" is invalid: spec.clusterIPs: Invalid value: []string{"10.96.0.10"}: failed to allocate IP 10.96.0.10: provided IP is already allocated',
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    ['deleted', () => api.ask('DELETE', `${SERVICES}/a`)],
    ['deleted with all others', () => api.ask('DELETE', SERVICES)],
    [
      'a name outside',
      () =>
        patch('a', { type: 'ExternalName', externalName: 'example.com', clusterIP: '', clusterIPs: null }),
    ],
  ])('is given back by a Service that is %s', async (_, end) => {
    specOf(await create('a', { clusterIP: '10.96.0.10' }));
    await end();
    expect(specOf(await create('b', { clusterIP: '10.96.0.10' })).clusterIP).toBe('10.96.0.10');
  });

  it('A Service that Winnow itself deletes releases its address', async () => {
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'gone' } });
    const spec = { ports: PORTS, clusterIP: '10.96.0.10' };
    await api.ask('POST', '/api/v1/namespaces/gone/services', { metadata: { name: 'a' }, spec });
    await api.ask('DELETE', '/api/v1/namespaces/gone');
    await api.memory.minutes(2);
    expect((await create('b', spec)).status).toBe(201);
  });

  it('A dry run shows an address, and takes none', async () => {
    expect(specOf(await create('a', {}, '?dryRun=All')).clusterIP).toBe('10.96.0.0');
    specOf(await create('a', { clusterIP: '10.96.0.10' }, '?dryRun=All'));
    specOf(await create('b', { clusterIP: '10.96.0.10' }));
    expect((await create('a', { clusterIP: '10.96.0.10' }, '?dryRun=All')).status).toBe(422);
  });

  it('A headless Service has no address, nor has one of type ExternalName', async () => {
    expect(specOf(await create('a', { clusterIP: 'None' })).clusterIPs).toEqual(['None']);
    const outside = specOf(await create('b', { type: 'ExternalName', externalName: 'example.com' }));
    expect(outside).not.toHaveProperty('clusterIP');
    const inside = specOf(await patch('b', { type: 'ClusterIP', externalName: null }));
    expect(inside.clusterIP).toMatch(/^10\./);
  });

  it.each<[JsonObject, string]>([
    [{ clusterIP: '192.168.0.1' }, 'the provided network does not match the current range'],
    [
      { clusterIP: 'fd00::1' },
      'spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: IPv6 is not configured',
    ],
    [{ ipFamilies: ['IPv6'] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    [{ ipFamilyPolicy: 'RequireDualStack' }, 'this cluster is not configured for dual-stack services'],
  ])('is refused where it is %j', async (spec, why) => {
    const { status, body } = await create('a', spec);
    expect(status).toBe(422);
    expect(body.message).toContain(why);
  });
});

describe('The node ports of a Service', () => {
  it('Node ports are allotted, one for TCP and UDP of a port, and released with the type', async () => {
    const dns = (protocol: string) => ({ name: protocol.toLowerCase(), port: 53, protocol });
    const made = await create('a', {
      type: 'NodePort',
      ports: [dns('TCP'), dns('UDP'), { name: 'web', port: 80 }],
    });
    const [tcp, udp, web] = nodePorts(made);
    expect(tcp).toBe(udp);
    expect(web).not.toBe(tcp);
    expect(Number(web)).toBeGreaterThanOrEqual(30_000);
    const taken = await create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: Number(web) }] });
    expect(taken.body.message).toContain(`${web}: provided port is already allocated`);
    expect(nodePorts(await patch('a', { type: 'ClusterIP' }))).toEqual([undefined, undefined, undefined]);
    expect(
      nodePorts(await create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: Number(web) }] })),
    ).toEqual([web]);
  });

  it('Node ports stay if an update names none', async () => {
    const ports = nodePorts(await create('a', { type: 'NodePort', ports: [{ name: 'web', port: 80 }] }));
    expect(nodePorts(await patch('a', { ports: [{ name: 'web', port: 81 }] }))).toEqual(ports);
    const [first, second] = nodePorts(
      await patch('a', {
        ports: [
          { name: 'x', port: 1 },
          { name: 'web', port: 81 },
        ],
      }),
    );
    expect(second).toBe(ports[0]);
    expect(first).not.toBe(second);
  });

  it('Node ports belong to one Service, and are released, also during deletion', async () => {
    const ports = [{ port: 80, nodePort: 30_000 }];
    const metadata = { name: 'a', finalizers: ['test/kept'] };
    await api.send('POST', SERVICES, { metadata, spec: { ports: PORTS } });
    await api.ask('DELETE', `${SERVICES}/a`);
    specOf(await create('b', { type: 'NodePort', ports }));
    const taken = await patch('a', { type: 'NodePort', ports });
    expect(taken.body.message).toContain('30000: provided port is already allocated');
    await api.ask('DELETE', `${SERVICES}/b`);
    specOf(await patch('a', { type: 'NodePort', ports }));
    expect((await create('c', { type: 'NodePort', ports })).status).toBe(422);
    specOf(await patch('a', { type: 'ClusterIP', ports: PORTS }));
    specOf(await create('c', { type: 'NodePort', ports }));
  });

  it('A load balancer that disables node ports gets none', async () => {
    const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    const none = await create('a', { ...balanced, allocateLoadBalancerNodePorts: false });
    expect(nodePorts(none)).toEqual([undefined]);
    const { healthCheckNodePort } = specOf(none);
    expect(Number(healthCheckNodePort)).toBeGreaterThanOrEqual(30_000);
    const same = await create('b', { ...balanced, healthCheckNodePort: Number(healthCheckNodePort) });
    expect(same.body.message).toContain('spec.healthCheckNodePort');
    expect(specOf(await patch('a', { type: 'ClusterIP' }))).not.toHaveProperty('healthCheckNodePort');
    expect(
      (await create('b', { ...balanced, healthCheckNodePort: Number(healthCheckNodePort) })).status,
    ).toBe(201);
  });

  it('Node ports must be in their range', async () => {
    const { body } = await create('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] });
    expect(body.message).toBe(
      'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    );
  });
});

describe('The address of a Service in a configured range', () => {
  const outside = { ports: PORTS, clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'] };

  beforeEach(async () => {
    api = await createMemoryApi(1, undefined, { serviceRange: readServiceRange('10.64.0.0/29') });
  });

  it('An address is in the range, up to the last free one', async () => {
    const given = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) given.push(specOf(await create(name)).clusterIP);
    expect(specOf(await create('f', {}, '?dryRun=All')).clusterIP).toBe('10.64.0.0');
    given.push(specOf(await create('f')).clusterIP);
    expect(given.sort()).toEqual([1, 2, 3, 4, 5, 6].map((host) => `10.64.0.${host}`));
    const { status, body } = await create('g');
    expect([status, body.message]).toEqual([422, expect.stringContaining('range is full')]);
  });

  it('An address outside the range is refused', async () => {
    for (const clusterIP of ['10.96.0.10', '10.64.0.0', '10.64.0.7', '10.64.0.8', '10.63.255.255']) {
      const { status, body } = await create('a', { clusterIP });
      expect([status, body.message]).toEqual([
        422,
        expect.stringContaining('the provided network does not match the current range'),
      ]);
    }
    expect(specOf(await create('a', { clusterIP: '10.64.0.6' })).clusterIP).toBe('10.64.0.6');
  });

  it('A Service keeps its address from a former range', async () => {
    const metadata = { name: 'old', namespace: 'default', uid: 'uid-of-old' };
    const body = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...outside, type: 'ClusterIP' } };
    const name = { namespace: 'default', name: 'old' };
    await api.memory.world.store.write('core/services', name, () => ({ kind: 'put', body }));
    const changed = await patch('old', { selector: { app: 'x' } });
    expect(specOf(changed)).toMatchObject({ clusterIP: '10.96.0.7', selector: { app: 'x' } });
    await api.ask('DELETE', `${SERVICES}/old`);
    expect((await create('again', outside)).status).toBe(422);
  });
});
