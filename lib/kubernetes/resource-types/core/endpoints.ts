import type { ResourceDefinition } from '../define-resource-types.ts';
import { array } from '../schema-fields.ts';

export const endpoints: ResourceDefinition = {
  kind: 'Endpoints',
  resource: 'endpoints',
  description: 'Endpoints lists the addresses behind a service.',
  shortNames: ['ep'],
  warning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  properties: { subsets: array('Addresses with the ports they share.') },
};
