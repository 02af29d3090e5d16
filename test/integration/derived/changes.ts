import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import type { Chance } from '../../conformance/placement/chance.ts';
import type { MemoryApi } from '../../support/service/memory-api.ts';
import { CORE, itemsOf, MERGE, SLICES, ZONE } from './requests.ts';

const SERVICES = ['one', 'two', 'three'];
const PODS = Array.from({ length: 9 }, (_, index) => `pod-${index}`);
const NODES = ['n1', 'n2'];

/** Sends one request that changes pods, services, nodes or slices, or is refused. */
export async function changeSomething(api: MemoryApi, chance: Chance): Promise<void> {
  const pod = chance.pick(PODS);
  const service = chance.pick(SERVICES);
  switch (chance.below(12)) {
    case 0:
      await api.send('DELETE', `${CORE}/pods/${pod}?gracePeriodSeconds=0`);
      break;
    case 1:
      await api.send('PATCH', `${CORE}/pods/${pod}`, { metadata: { labels: labels(chance) } }, MERGE);
      break;
    case 2:
      await api.send('DELETE', `${CORE}/services/${service}`);
      break;
    case 3:
      await api.send('PATCH', `${CORE}/services/${service}`, { spec: { selector: selector(chance) } }, MERGE);
      break;
    case 4: {
      const publishNotReadyAddresses = chance.chance(0.5);
      await api.send('PATCH', `${CORE}/services/${service}`, { spec: { publishNotReadyAddresses } }, MERGE);
      break;
    }
    case 5: {
      const metadata = { name: chance.pick(NODES), labels: { [ZONE]: chance.pick(['east', 'west']) } };
      const made = await api.send('POST', '/api/v1/nodes', { metadata });
      if (made.status === 409) await api.send('PATCH', `/api/v1/nodes/${metadata.name}`, { metadata }, MERGE);
      break;
    }
    case 6: {
      // A user edits or deletes a slice.
      const [slice] = chance.shuffled(itemsOf(await api.ask('GET', SLICES)));
      if (slice === undefined) break;
      const path = `${SLICES}/${metadataOf(slice).name}`;
      await (chance.chance(0.5)
        ? api.send('DELETE', path)
        : api.send('PATCH', path, { endpoints: [{ addresses: ['192.0.2.1'] }] }, MERGE));
      break;
    }
    case 7:
      await api.send('POST', `${CORE}/services`, {
        metadata: { name: service },
        spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] },
      });
      break;
    case 8:
      await api.send('PATCH', `${CORE}/pods/${pod}/status`, { status: addressOf(chance) }, MERGE);
      break;
    default:
      await register(api, chance, pod);
  }
}

function addressOf(chance: Chance) {
  const ip = `10.0.0.${chance.below(200)}`;
  return { podIP: ip, podIPs: [{ ip }] };
}

async function register(api: MemoryApi, chance: Chance, name: string): Promise<void> {
  await api.send('POST', `${CORE}/pods`, {
    metadata: { name, labels: labels(chance) },
    spec: { nodeName: chance.pick(NODES), containers: [{ name: 'c', image: 'i' }] },
  });
  const conditions = [{ type: 'Ready', status: chance.pick(['True', 'False']) }];
  const phase = chance.pick(['Running', 'Running', 'Failed']);
  const status = { ...addressOf(chance), phase, conditions };
  await api.send('PATCH', `${CORE}/pods/${name}/status`, { status }, MERGE);
}

function labels(chance: Chance): JsonObject {
  return { app: chance.pick(['a', 'b']), tier: chance.pick(['x', 'y']) };
}

/** A selector that is merged into an existing one. */
function selector(chance: Chance): JsonObject {
  return chance.pick([
    { app: 'a', tier: null },
    { app: 'b', tier: null },
    { app: null, tier: 'x' },
  ]);
}
