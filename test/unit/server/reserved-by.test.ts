import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { reservedBy } from '../../../lib/server/restore/reserved-by.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const serviceOf = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec,
});
const reserved = (spec: JsonObject) => reservedBy('core/services', serviceOf(spec), seeded(1));

it('A restored Service keeps its address and ports reserved, whatever the range is', async () => {
  const ports = [{ port: 80, protocol: 'TCP', nodePort: 30_080 }];
  for (const address of ['10.96.0.7', '10.64.0.7', '172.20.0.1']) {
    const spec = { type: 'NodePort', clusterIP: address, clusterIPs: [address], ipFamilies: ['IPv4'], ports };
    expect(await reserved(spec)).toEqual([`service-ip#${address}`, 'node-port#30080']);
  }
  expect(await reserved({ clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 80 }] })).toEqual([]);
});
