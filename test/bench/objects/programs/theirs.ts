import { setTimeout } from 'node:timers/promises';
import {
  ApiException,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from '@kubernetes/client-node';

interface Device extends KubernetesObject {
  spec: { model: string };
}

const [namespace = '', count] = [process.argv[2], Number(process.argv[3])];
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CustomObjectsApi);
const kind = { group: 'fleet.example', version: 'v1', namespace, plural: 'devices' };
const labelSelector = 'site=north';

/** Repeats a request that did nothing because the server was busy. */
async function repeated<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const isBusy = error instanceof ApiException && (error.code === 429 || error.code === 503);
      if (!isBusy || tries === 5) throw error;
      await setTimeout(Math.random() * 200 * 2 ** tries);
    }
  }
}

/** Lists the set page by page. */
async function list(): Promise<KubernetesListObject<Device>> {
  const items: Device[] = [];
  for (let token: string | undefined; ; ) {
    const _continue = token;
    const page = await repeated(() =>
      api.listNamespacedCustomObject({ ...kind, labelSelector, limit: 500, _continue }),
    );
    items.push(...page.items);
    token = page.metadata.continue;
    if (!token) return { ...page, items };
  }
}

for (let index = 0; index < count; index++) {
  const metadata = { name: `cam-${index}`, labels: { site: 'north' } };
  const body: Device = {
    apiVersion: 'fleet.example/v1',
    kind: 'Device',
    metadata,
    spec: { model: 'x1' },
  };
  await repeated(() => api.createNamespacedCustomObject({ ...kind, body }));
}
console.log('listed', (await list()).items.length);
const path = `/apis/fleet.example/v1/namespaces/${namespace}/devices`;
const informer = makeInformer<Device>(config, path, list, labelSelector);
let changed = 0;
informer.on('update', async ({ spec }) => {
  if (spec.model === 'x2' && ++changed === count) await informer.stop();
});
informer.on('error', async ({ name }) => {
  // The informer also reports its own stop.
  if (name === 'AbortError') return;
  await setTimeout(Math.random() * 1_000);
  await informer.start();
});
await informer.start();
console.log('ready', informer.list().length);
