import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../../infra/bundle/index.ts';
import { connect, type Winnow } from '../../../lib/client/objects/index.ts';
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
