import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { NODE_SUBRESOURCES } from '../subresources.ts';

export const nodes: ResourceDefinition = {
  kind: 'Node',
  resource: 'nodes',
  description: 'Node is a machine that runs pods.',
  shortNames: ['no'],
  scope: 'Cluster',
  status: true,
  subresources: NODE_SUBRESOURCES,
  fields: ['spec.unschedulable'],
  properties: SPEC_AND_STATUS,
};
