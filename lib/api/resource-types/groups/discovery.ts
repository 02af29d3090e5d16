import type { JsonObject } from '../../../store/index.ts';
import { AGE, field, firstThree, NAME, text } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import { array, string } from '../schema-fields.ts';

/** discovery.k8s.io/v1 */
export const discovery = defineResourceTypes('discovery.k8s.io', 'v1', [
  {
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    description: 'EndpointSlice holds a part of the endpoints of a service.',
    columns: [
      NAME,
      field('AddressType', 'addressType', 'IPv4, IPv6 or FQDN.', ''),
      text('Ports', 'Ports of every endpoint.', (o) => firstThree(ports(o), '<unset>')),
      text('Endpoints', 'Addresses of the endpoints.', (o) => firstThree(addresses(o), '<unset>')),
      AGE,
    ],
    properties: {
      addressType: string('IPv4, IPv6 or FQDN.'),
      endpoints: array('The endpoints.'),
      ports: array('Ports of every endpoint.'),
    },
  },
]);

function ports(slice: JsonObject): string[] {
  return listAt(slice, 'ports').map((port) => textAt(port, 'port') || textAt(port, 'name') || '*');
}

function addresses(slice: JsonObject): string[] {
  return listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
}
