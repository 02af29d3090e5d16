import type { ResourceDefinition } from '../define-resource-types.ts';
import { NODE_SUBRESOURCES } from '../subresources.ts';

export const nodes: ResourceDefinition = {
  kind: 'Node',
  resource: 'nodes',
  shortNames: ['no'],
  scope: 'Cluster',
  status: true,
  subresources: NODE_SUBRESOURCES,
  fields: ['spec.unschedulable'],
};
