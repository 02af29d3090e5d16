import type { ResourceDefinition } from '../define-resource-types.ts';

export const endpoints: ResourceDefinition = {
  kind: 'Endpoints',
  resource: 'endpoints',
  createOnUpdate: true,
  shortNames: ['ep'],
  warning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};
