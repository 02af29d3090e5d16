import { warmApi } from '../api/index.ts';
import { DEFINITIONS_URL, definitionOf, GROUP, objectOf } from './definition.ts';

/** Has the API load the modules that custom kinds need. */
export async function warmUp(): Promise<void> {
  const objects = `/apis/${GROUP}/v1/devices`;
  const subscription = {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { name: 'all' },
    spec: { resource: { group: GROUP, resource: 'devices' }, namespaces: 'All' },
  };
  const subscriptions = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
  const defined = { era: '0', scope: 'Cluster', shortName: 'dev' } as const;
  await warmApi([
    { method: 'GET', url: objects },
    { method: 'POST', url: DEFINITIONS_URL, body: definitionOf('devices', defined) },
    { method: 'POST', url: objects, body: objectOf('devices', 'p') },
    { method: 'POST', url: subscriptions, body: subscription },
    { method: 'GET', url: objects },
    { method: 'DELETE', url: `${objects}/p` },
    { method: 'DELETE', url: `${DEFINITIONS_URL}/devices.${GROUP}` },
  ]);
}
