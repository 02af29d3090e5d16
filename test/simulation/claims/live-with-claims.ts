import { systemClock } from '../../../lib/platform/index.ts';
import { quotaReckoner } from '../../../lib/server/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { SERVED } from '../actors/targets.ts';
import { serveApi, warmApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { ClaimRecord } from './claim-record.ts';
import { claimServices } from './claim-services.ts';
import { ration } from './ration.ts';
import { MERGE, QUOTAS_URL, SERVICES_URL, statusOf } from './service.ts';

/** The resource types that functions receive. */
export const served = { ...SERVED, reckoner: quotaReckoner };

/** Starts the clients that request reservations, and the one that limits them by a quota. */
export function liveWithClaims(cluster: Cluster, record: ClaimRecord, scenario: Scenario): Promise<void>[] {
  record.follow(cluster.world);
  const claiming = { cluster, record, ask: serveApi(cluster) };
  const clients = Array.from({ length: scenario.claimants }, (_, at) => `claimant${at}`);
  return [ration(claiming, scenario), ...clients.map((client) => claimServices(claiming, client, scenario))];
}

/** Has the API load the modules that these clients need. */
export async function warmUp(): Promise<void> {
  const metadata = { name: 's', finalizers: ['claims.example/kept'] };
  const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
  const spec = { hard: { services: '5' } };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec };
  const url = `${SERVICES_URL}/s`;
  const store = await warmApi([
    { method: 'POST', url: QUOTAS_URL, body: quota },
    { method: 'POST', url: SERVICES_URL, body: service },
    { method: 'PATCH', url, body: { spec: { type: 'NodePort' } }, contentType: MERGE },
    { method: 'PATCH', url: `${url}/status`, body: statusOf('warm'), contentType: MERGE },
    { method: 'DELETE', url },
    { method: 'PATCH', url, body: { metadata: { finalizers: null } }, contentType: MERGE },
  ]);
  await quotaReckoner(systemClock, { announce: async () => {} })(store);
}
