import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../infra/bundle/index.ts';
import { type BodyOf, connect, type LabelSelector, type Winnow } from '../../../lib/client/objects/index.ts';
import { LIVE_TIMING, LiveSet } from '../../../lib/client/objects/live-set.ts';
import { SelectedSet } from '../../../lib/client/objects/selected-set.ts';
import { labelSelectorText } from '../../../lib/client/objects/selector.ts';
import { Transport } from '../../../lib/client/objects/transport.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { startTamperingProxy, type TamperingProxy } from '../../support/service/tampering-proxy.ts';
import { Device } from '../../unit/client/objects/fleet.ts';

/** A local Winnow that serves devices, a proxy before it, and a client of each. */
export interface FleetService {
  readonly service: Service;
  readonly proxy: TamperingProxy;
  readonly direct: Winnow;
  /** The client whose requests pass the proxy. */
  readonly proxied: Winnow;
  stop(): Promise<void>;
}

/** Short times, so that a test need not wait for a failure. */
const QUICK = { ...LIVE_TIMING, firstPause: 20, longestPause: 100 };

interface Following {
  readonly namespace: string;
  readonly selector?: LabelSelector | undefined;
  readonly pageSize?: number | undefined;
  readonly timing?: Partial<typeof LIVE_TIMING> | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** A live set of devices with short times. */
export function followDevices(
  url: string,
  { namespace, selector = '', pageSize, timing, fetch }: Following,
): LiveSet<BodyOf<typeof Device>> {
  const path = `/apis/fleet.example/v1/namespaces/${namespace}/devices`;
  const query = { labelSelector: labelSelectorText(selector) };
  const selected = { path, query, namespace, pageSize };
  return new LiveSet(new SelectedSet(new Transport({ url, fetch }), selected), {}, { ...QUICK, ...timing });
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export async function startFleetService(): Promise<FleetService> {
  const service = await startService();
  const proxy = await startTamperingProxy(service.winnow.url);
  const definition = parse(readFileSync(join(root, 'examples/device-definition.yaml'), 'utf8'));
  const [version] = definition.spec.versions;
  version.subresources = { status: {} };
  const { properties } = version.schema.openAPIV3Schema;
  properties.spec.properties.radio = { type: 'object', properties: { band: { type: 'integer' } } };
  properties.status = { type: 'object', properties: { seen: { type: 'string' } } };
  await service.http.post(DEFINITIONS, definition);
  const direct = connect({ url: service.winnow.url });
  await eventually('devices are served', () =>
    direct
      .objects(Device)
      .list()
      .toArray()
      .catch(() => false as const),
  );
  return {
    service,
    proxy,
    direct,
    proxied: connect({ url: proxy.url, manager: 'test' }),
    stop: async () => {
      await proxy.stop();
      await service.stop();
    },
  };
}
