import type { JsonObject, JsonValue } from '../../../store/index.ts';
import { AGE, firstThree, NAME, NONE, text } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import { array } from '../schema-fields.ts';

export const endpoints: ResourceDefinition = {
  kind: 'Endpoints',
  resource: 'endpoints',
  description: 'Endpoints lists the addresses behind a service.',
  shortNames: ['ep'],
  warning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  columns: [
    NAME,
    text('Endpoints', 'Addresses behind the service.', (o) => firstThree(addresses(o), NONE)),
    AGE,
  ],
  properties: { subsets: array('Addresses with the ports they share.') },
};

function addresses(object: JsonObject): string[] {
  return listAt(object, 'subsets').flatMap(inSubset);
}

function inSubset(subset: JsonValue): string[] {
  const ips = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = listAt(subset, 'ports').map((port) => textAt(port, 'port'));
  if (ports.length === 0) return ips;
  return ports.flatMap((port) => ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
}
