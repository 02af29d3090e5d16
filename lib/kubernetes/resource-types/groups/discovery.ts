import { defineResourceTypes } from '../define-resource-types.ts';
import { array, string } from '../schema-fields.ts';

/** discovery.k8s.io/v1 */
export const discovery = defineResourceTypes('discovery.k8s.io', 'v1', [
  {
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    description: 'EndpointSlice holds a part of the endpoints of a service.',
    properties: {
      addressType: string('IPv4, IPv6 or FQDN.'),
      endpoints: array('The endpoints.'),
      ports: array('Ports of every endpoint.'),
    },
  },
]);
