import { createApi, readingVerbs, writingVerbs } from '../../../lib/api/index.ts';
import { systemClock as clock, systemRandom as random, silentLogger } from '../../../lib/platform/index.ts';
import { createStore } from '../../../lib/store/index.ts';
import { createWatches } from '../../../lib/watch/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { send } from './api-service.ts';
import { DEFINITIONS_URL, definitionOf, GROUP, objectOf } from './definition.ts';

/**
 * Has the API load what it loads on first use: that takes real time, and in a run there is none. Whatever is loaded
 * already is there without waiting for more than promises.
 */
export async function warmUp(): Promise<void> {
  const outside = { clock, random, logger: silentLogger };
  const store = createStore({ ...outside, table: createMemoryTable() });
  const watches = createWatches({ ...outside, store });
  const verbs = { ...readingVerbs, ...writingVerbs };
  const api = createApi({ ...outside, store, watches, verbs, announce: async () => {} });
  const objects = `/apis/${GROUP}/v1/devices`;
  const subscription = {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { name: 'all' },
    spec: { resource: { group: GROUP, resource: 'devices' }, namespaces: 'All' },
  };
  const subscriptions = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
  const defined = { era: '0', scope: 'Cluster', shortName: 'dev' } as const;
  await send(api, { method: 'GET', url: objects });
  await send(api, { method: 'POST', url: DEFINITIONS_URL, body: definitionOf('devices', defined) });
  await send(api, { method: 'POST', url: objects, body: objectOf('devices', 'p') });
  await send(api, { method: 'POST', url: subscriptions, body: subscription });
  await send(api, { method: 'GET', url: objects });
  await send(api, { method: 'DELETE', url: `${objects}/p` });
  await send(api, { method: 'DELETE', url: `${DEFINITIONS_URL}/devices.${GROUP}` });
}
