import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { buildCoreDns, type CoreDns, startCoreDns } from './coredns.ts';
import { apply, dig, readPage } from './page.ts';

/** `npm run test:conformance -- service-discovery`; without Go its tests are skipped. */
const hasGo = spawnSync('go', ['version']).status === 0;
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 600_000;

/** The two ways of Kubernetes' clients: LIST and then WATCH, or a WATCH that begins with the existing objects. */
const CLIENTS = [
  ['lists and watches', {}],
  ['streams lists', { KUBE_FEATURE_WatchListClient: 'true' }],
] as const;

(hasGo ? describe : describe.skip).each(CLIENTS)('CoreDNS that %s', (_, environment) => {
  let service: Service;
  let dns: CoreDns;

  beforeAll(async () => {
    buildCoreDns();
    service = await startService({ derived: ['endpointslices', 'leases'] });
    dns = await startCoreDns(service.winnow.url, environment);
  }, BUILD_TIMEOUT);

  afterAll(async () => {
    await dns.stop();
    await service.stop();
    expect(service.problems).toEqual([]);
    expect(dns.printed()).not.toMatch(/\[(ERROR|WARNING)\]/);
  });

  it(
    'CoreDNS answers as docs/service-discovery.md says, for the objects on that page',
    async () => {
      let asked = 0;
      for (const block of readPage()) {
        if ('objects' in block) {
          for (const object of block.objects) await apply(service.http, object);
        } else if ('pod' in block) {
          await service.http.merge(`${PODS}/${block.pod}/status`, block.status);
        } else {
          const said = await eventually(`${block.command} is answered as on the page`, async () => {
            const answer = await dig(dns.resolver, block.command);
            return answer === block.prints ? answer : undefined;
          });
          expect(said).toBe(block.prints);
          asked += 1;
        }
      }
      expect(asked).toBe(9);
    },
    TIMEOUT,
  );

  it(
    'CoreDNS returns the ready pods of a headless Service, and follows their changes',
    async () => {
      await create('services', headless('cache'));
      await register('cache-0', { app: 'cache' }, '192.0.2.10');
      await register('cache-1', { app: 'cache' }, '192.0.2.11');
      await answers('cache', ['192.0.2.10', '192.0.2.11']);

      await say('cache-1', '192.0.2.11', 'False');
      await answers('cache', ['192.0.2.10']);

      await say('cache-1', '192.0.2.11', 'True');
      await service.http.merge(`${PODS}/cache-0`, { metadata: { labels: { app: 'retired' } } });
      await answers('cache', ['192.0.2.11']);

      await service.http.delete(`${PODS}/cache-1`);
      await answers('cache', []);
    },
    TIMEOUT,
  );

  it(
    'CoreDNS drops a pod when its Lease expires, and returns it once the Lease is renewed',
    async () => {
      await create('services', headless('leased'));
      await service.http.post(LEASES, { metadata: { name: 'machine' }, spec: held(LEASE) });
      await register('leased-0', { app: 'leased', 'winnow.dev/lease': 'machine' }, '192.0.2.40');
      await answers('leased', ['192.0.2.40']);

      const renewed = await service.http.merge(`${LEASES}/machine`, { spec: held(LEASE) });
      const over =
        Date.parse((renewed.body.spec as { readonly renewTime: string }).renewTime) + LEASE * 1_000;
      await answers('leased', []);
      const after = Date.now() - over;
      process.stdout.write(`CoreDNS let go of it ${after} ms after its Lease was over.\n`);
      expect(after).toBeGreaterThanOrEqual(0);

      await service.http.merge(`${LEASES}/machine`, { spec: held(3_600) });
      const began = Date.now();
      await answers('leased', ['192.0.2.40']);
      process.stdout.write(`CoreDNS had it back ${Date.now() - began} ms after its Lease was renewed.\n`);
    },
    TIMEOUT,
  );

  it(
    'CoreDNS knows the ports of a headless Service, and each pod with a hostname in it',
    async () => {
      await create('services', headless('nats'));
      const named = { hostname: 'first', subdomain: 'nats' };
      await register('nats-0', { app: 'nats' }, '192.0.2.20', named);
      await answers('first.nats', ['192.0.2.20']);
      const found = await dns.resolver.resolveSrv('_client._tcp.nats.default.svc.cluster.local');
      expect(found).toMatchObject([{ name: 'first.nats.default.svc.cluster.local', port: 4222 }]);
    },
    TIMEOUT,
  );

  it(
    'CoreDNS returns the address and port of a Service that has a cluster IP',
    async () => {
      const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
      const created = await create('services', {
        metadata: { name: 'shop' },
        spec: { selector: { app: 'shop' }, ports },
      });
      const spec = created.body.spec as { readonly clusterIP: string };
      await answers('shop', [spec.clusterIP]);
      const found = await dns.resolver.resolveSrv('_http._tcp.shop.default.svc.cluster.local');
      expect(found).toMatchObject([{ name: 'shop.default.svc.cluster.local', port: 80 }]);
    },
    TIMEOUT,
  );

  it(
    'CoreDNS drops a deleted Service, and its slices are deleted',
    async () => {
      await create('services', headless('gone'));
      await register('gone-0', { app: 'gone' }, '192.0.2.30');
      await answers('gone', ['192.0.2.30']);
      await service.http.delete('/api/v1/namespaces/default/services/gone');
      await answers('gone', []);
      await eventually('its slices end with it', async () => {
        const selector = 'labelSelector=kubernetes.io/service-name=gone';
        const left = await service.http.get(`/apis/discovery.k8s.io/v1/endpointslices?${selector}`);
        return left.items.length === 0;
      });
    },
    TIMEOUT,
  );

  function create(resource: string, object: object) {
    return service.http.post(`/api/v1/namespaces/default/${resource}`, object);
  }

  /** Registers an instance as a registrar does: as a pod that no kubelet runs. */
  async function register(name: string, labels: object, ip: string, spec: object = {}): Promise<void> {
    const containers = [{ name: 'instance', image: 'none' }];
    await create('pods', { metadata: { name, labels }, spec: { containers, ...spec } });
    await say(name, ip, 'True');
  }

  async function say(name: string, ip: string, ready: 'True' | 'False'): Promise<void> {
    const conditions = [{ type: 'Ready', status: ready }];
    await service.http.merge(`${PODS}/${name}/status`, {
      status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions },
    });
  }

  async function answers(name: string, addresses: readonly string[]): Promise<void> {
    let said: string[] = [];
    await eventually(`${name} is ${addresses.join(', ') || 'nowhere'}`, async () => {
      // The resolver throws for a name that does not exist or has no address.
      said = await dns.resolver.resolve4(`${name}.default.svc.cluster.local`).catch(() => []);
      return said.toSorted().join() === addresses.join();
    });
  }
});

const PODS = '/api/v1/namespaces/default/pods';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
/** The duration of a Lease, in seconds: long enough for a pod to be in DNS before its Lease expires. */
const LEASE = 20;

/** The spec of a Lease that is renewed now. */
function held(leaseDurationSeconds: number) {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  return { holderIdentity: 'machine', leaseDurationSeconds, renewTime };
}

function headless(name: string) {
  const ports = [{ name: 'client', port: 4222 }];
  return { metadata: { name }, spec: { clusterIP: 'None', selector: { app: name }, ports } };
}
