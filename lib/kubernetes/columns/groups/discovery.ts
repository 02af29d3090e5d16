import type { JsonObject } from '../../../json/index.ts';
import { listAt, textAt } from '../../resource-types/index.ts';
import { AGE, field, firstThree, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** discovery.k8s.io/v1 */
export const discovery: ColumnsByKind = {
  EndpointSlice: [
    NAME,
    field('AddressType', 'addressType', 'IPv4, IPv6 or FQDN.', ''),
    text('Ports', 'Ports of every endpoint.', (o) => firstThree(ports(o), '<unset>')),
    text('Endpoints', 'Addresses of the endpoints.', (o) => firstThree(addresses(o), '<unset>')),
    AGE,
  ],
};

function ports(slice: JsonObject): string[] {
  return listAt(slice, 'ports').map((port) => textAt(port, 'port') || textAt(port, 'name') || '*');
}

function addresses(slice: JsonObject): string[] {
  return listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
}
