import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Service, startService } from '../../support/service/service.ts';
import {
  CA_BUNDLE,
  reviewing,
  serveWebhook,
  type WebhookServer,
} from '../../support/webhooks/webhook-server.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** An address of this machine: an EndpointSlice may not name loopback. */
const ADDRESS = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let service: Service;
let server: WebhookServer;

beforeAll(async () => {
  [service, server] = await Promise.all([
    startService({ newestSchema: true, webhooks: 'services' }),
    serveWebhook(
      reviewing(() => ({ allowed: false, status: { message: 'denied by the pod' } })),
      ['guard.shop.svc'],
      '0.0.0.0',
    ),
  ]);
  await service.http.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
});

afterAll(async () => {
  await Promise.all([service.stop(), server.stop()]);
});

const create = (name: string) =>
  service.http.send('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name } } });

it('A webhook of a Service reaches a ready endpoint of its port, and failures name what is missing', async () => {
  const webhook = {
    name: 'guard.example.com',
    clientConfig: {
      service: { namespace: 'shop', name: 'guard', port: 8443, path: '/check' },
      caBundle: CA_BUNDLE,
    },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await service.http.post(CONFIGURATIONS, { metadata: { name: 'guard' }, webhooks: [webhook] });
  const failed =
    'failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.shop.svc:8443/check": ';
  expect((await create('a')).message).toContain(`${failed}service "guard" not found`);

  const ports = [
    { name: 'other', port: 80 },
    { name: 'hooks', port: 8443 },
  ];
  await service.http.post('/api/v1/namespaces/shop/services', {
    metadata: { name: 'guard' },
    spec: { ports },
  });
  expect((await create('a')).message).toContain(`${failed}no endpoints available for service "guard"`);

  const metadata = { name: 'guard-1', labels: { 'kubernetes.io/service-name': 'guard' } };
  const endpoints = [
    { addresses: ['10.255.255.1'], conditions: { ready: false } },
    { addresses: [ADDRESS], conditions: { ready: true } },
  ];
  await service.http.post('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
    metadata,
    addressType: 'IPv4',
    endpoints,
    ports: [
      { name: 'other', port: 1 },
      { name: 'hooks', port: server.port },
    ],
  });
  const { status, message } = await create('a');
  expect([status, message]).toEqual([
    400,
    'admission webhook "guard.example.com" denied the request: denied by the pod',
  ]);
  expect(server.received.map(({ url }) => url)).toEqual(['/check?timeout=10s']);
});
