import { deepEqual } from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { HttpClient } from '../../support/service/http-client.ts';
import type { Attempt, Client } from '../client.ts';
import { trySteps } from '../outcome-of.ts';
import { installPackage } from './install-package.ts';

const PACKAGE = '@backstage/plugin-kubernetes-backend';
const VERSION = '0.21.11';

/** The part of Backstage's backend that finds the objects of a component of its catalog. */
export const backstage: Client = {
  name: 'backstage',
  title: `Backstage Kubernetes plugin ${VERSION}`,
  install: async (folder) => {
    await installPackage(folder, `${PACKAGE}@${VERSION}`);
    const require = createRequire(join(folder, 'package.json'));
    const service = join(folder, 'node_modules', PACKAGE, 'dist/service');
    return attempt({
      ...require(join(service, 'KubernetesFanOutHandler.cjs.js')),
      ...require(join(service, 'KubernetesFetcher.cjs.js')),
      ...require(join(service, 'KubernetesConnection.cjs.js')),
    });
  },
};

interface Found {
  readonly items: readonly {
    readonly errors: readonly { readonly errorType: string; readonly resourcePath: string }[];
    readonly resources: readonly {
      readonly type: string;
      readonly resources: readonly { readonly kind?: string; readonly metadata: { readonly name: string } }[];
    }[];
  }[];
}

interface Handler {
  getKubernetesObjectsByEntity(query: object, options: object): Promise<Found>;
  getCustomResourcesByEntity(query: object, options: object): Promise<Found>;
}

type Class<Made> = new (options: object) => Made;

interface Service {
  readonly KubernetesFanOutHandler: Class<Handler>;
  readonly KubernetesClientBasedFetcher: Class<object>;
  readonly KubernetesConnection: Class<object>;
}

const CORE = '/api/v1/namespaces/default';
const OF_SHOP = { 'backstage.io/kubernetes-id': 'shop' };
const DEVICES = { group: 'example.com', apiVersion: 'v1', plural: 'devices' };

function attempt(service: Service): Attempt {
  return async ({ http }, tell) => {
    await makeObjects(http);
    const find = (annotations: object) => handler.getKubernetesObjectsByEntity(component(annotations), {});
    const handler = handlerOf(service, { url: http.url, skipMetricsLookup: true });
    await trySteps(
      {
        'objects of a component': async () => {
          const found = await find({});
          deepEqual(found.items[0]?.errors, []);
          deepEqual(namesOf(found), { pods: ['web-1', 'web-2'], services: ['web'], deployments: ['web'] });
        },
        'a label selector, a namespace': async () => {
          const selector = { 'backstage.io/kubernetes-label-selector': 'track in (canary),app=web' };
          deepEqual(namesOf(await find(selector)), { pods: ['web-2'] });
          const elsewhere = { ...selector, 'backstage.io/kubernetes-namespace': 'kube-system' };
          deepEqual(namesOf(await find(elsewhere)), {});
        },
        'objects of a custom kind': async () => {
          const query = { ...component({}), customResources: [DEVICES] };
          const found = await handler.getCustomResourcesByEntity(query, {});
          deepEqual(namesOf(found), { customresources: ['phone'] });
          deepEqual(found.items[0]?.resources[0]?.resources[0]?.kind, 'Device');
        },
        'missing metrics': async () => {
          const all = handlerOf(service, { url: http.url });
          const [item] = (await all.getKubernetesObjectsByEntity(component({}), {})).items;
          const path = '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods';
          deepEqual(item?.errors, [{ errorType: 'NOT_FOUND', statusCode: 404, resourcePath: path }]);
        },
      },
      tell,
    );
  };
}

const component = (annotations: object) => ({
  entity: { metadata: { name: 'shop', annotations } },
  auth: {},
});

function handlerOf(service: Service, cluster: object): Handler {
  const logger = { info: () => {}, warn: () => {} };
  const authMetadata = { 'kubernetes.io/auth-provider': 'localKubectlProxy' };
  const clusters = [{ name: 'winnow', authMetadata, ...cluster }];
  return new service.KubernetesFanOutHandler({
    logger,
    fetcher: new service.KubernetesClientBasedFetcher({
      connection: new service.KubernetesConnection({ logger }),
    }),
    serviceLocator: { getClustersByEntity: async () => ({ clusters }) },
    authStrategy: { getCredential: async () => ({ type: 'anonymous' }) },
    customResources: [],
  });
}

/** The names of the objects, by the type that they are listed as; types without objects are left out. */
function namesOf({ items }: Found): Record<string, readonly string[]> {
  const listed = items.flatMap(({ resources }) => resources).filter((one) => one.resources.length > 0);
  return Object.fromEntries(
    listed.map(({ type, resources }) => [type, resources.map(({ metadata }) => metadata.name)]),
  );
}

async function makeObjects(http: HttpClient): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  const pod = (name: string, labels: object) => ({ metadata: { name, labels }, spec: { containers } });
  await http.post(`${CORE}/pods`, pod('web-1', { ...OF_SHOP, app: 'web', track: 'stable' }));
  await http.post(`${CORE}/pods`, pod('web-2', { ...OF_SHOP, app: 'web', track: 'canary' }));
  await http.post(`${CORE}/pods`, pod('other', { app: 'other', track: 'canary' }));
  await http.post(`${CORE}/services`, {
    metadata: { name: 'web', labels: OF_SHOP },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await http.post('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web', labels: OF_SHOP },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    },
  });
  const schema = { openAPIV3Schema: { type: 'object' } };
  await http.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'devices.example.com' },
    spec: {
      group: DEVICES.group,
      names: { plural: DEVICES.plural, singular: 'device', kind: 'Device', listKind: 'DeviceList' },
      scope: 'Namespaced',
      versions: [{ name: DEVICES.apiVersion, served: true, storage: true, schema }],
    },
  });
  await http.post('/apis/example.com/v1/namespaces/default/devices', {
    apiVersion: 'example.com/v1',
    kind: 'Device',
    metadata: { name: 'phone', labels: OF_SHOP },
  });
}
