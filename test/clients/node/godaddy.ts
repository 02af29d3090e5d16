import { deepEqual, equal, ok } from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { eventually } from '../../support/eventually.ts';
import type { Attempt, Client } from '../client.ts';
import { trySteps } from '../outcome-of.ts';
import { installPackage } from './install-package.ts';

const PACKAGE = 'kubernetes-client';
const VERSION = '9.0.0';

/** GoDaddy's client, which derives its methods from `/openapi/v2`. */
export const godaddy: Client = {
  name: 'godaddy',
  title: `${PACKAGE} (GoDaddy, Node) ${VERSION}`,
  install: async (folder) => {
    await installPackage(folder, `${PACKAGE}@${VERSION}`);
    return attempt(createRequire(join(folder, 'package.json')));
  },
};

interface Reply {
  readonly body: {
    readonly items: readonly unknown[];
    readonly data: unknown;
    readonly spec: unknown;
    readonly metadata: { readonly name: string };
  };
}

/** A path of the API, as the client builds it: each segment is a property, and each parameter a call. */
interface Path {
  (name: string): Path;
  readonly [segment: string]: Path;
}

/** The methods at the end of a path. */
interface Methods {
  get(options?: object): Promise<Reply>;
  post(options: object): Promise<Reply>;
  patch(options: object): Promise<Reply>;
  delete(): Promise<Reply>;
  getObjectStream(): Promise<Duplex>;
}

interface Loaded {
  readonly api: Path;
  readonly apis: Path;
  loadSpec(): Promise<void>;
}

const at = (path: Path | undefined) => {
  ok(path !== undefined, 'the client found no such path in /openapi/v2');
  return path as unknown as Path & Methods;
};

const DEVICES = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'devices.fleet.example' },
  spec: {
    group: 'fleet.example',
    scope: 'Namespaced',
    names: { plural: 'devices', kind: 'Device' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { model: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

function attempt(require: NodeJS.Require): Attempt {
  return async ({ kubeconfig, http }, tell) => {
    const { Client: GoDaddy, KubeConfig } = require(PACKAGE);
    const Request = require(`${PACKAGE}/backends/request`);
    const loaded = async (): Promise<Loaded> => {
      const config = new KubeConfig();
      config.loadFromFile(kubeconfig);
      const client = new GoDaddy({ backend: new Request({ kubeconfig: config }) });
      await client.loadSpec();
      return client;
    };
    let client: Loaded | undefined;
    const configMaps = () => at(client?.api.v1?.namespaces?.('default').configmaps);
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'loads the specification of the server': async () => {
        client = await loaded();
      },
      'create, list by selector': async () => {
        await configMaps().post({ body: { metadata: { name: 'a', labels: { x: '1' } }, data: { k: 'v' } } });
        equal((await configMaps().get({ qs: { labelSelector: 'x=1' } })).body.items.length, 1);
        equal((await configMaps().get({ qs: { labelSelector: 'x!=1' } })).body.items.length, 0);
      },
      patch: async () => {
        const { body } = await at(configMaps()('a')).patch({ body: { data: { k: 'w' } } });
        deepEqual(body.data, { k: 'w' });
      },
      'watch by the deprecated paths': async () => {
        const path = at(client?.api.v1?.watch?.namespaces?.('default').configmaps);
        const stream = await path.getObjectStream();
        const seen: string[] = [];
        stream.on('data', ({ type }: { type: string }) => seen.push(type));
        await eventually('the first event comes', () => seen.includes('ADDED'));
        await at(configMaps()('a')).delete();
        await eventually('the deletion comes', () => seen.includes('DELETED'));
        stream.destroy();
      },
      'the paths of a custom kind': async () => {
        await http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: DEVICES });
        const devices = await eventually(
          'its paths are served',
          async () => (await loaded()).apis['fleet.example']?.v1?.namespaces?.('default').devices,
        );
        const body = {
          apiVersion: 'fleet.example/v1',
          kind: 'Device',
          metadata: { name: 'd' },
          spec: { model: 'm' },
        };
        await at(devices).post({ body });
        deepEqual((await at(at(devices)('d')).get()).body.spec, { model: 'm' });
      },
    };
    await trySteps(steps, tell);
  };
}
