import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { POD_SUBRESOURCES } from '../subresources.ts';

export const pods: ResourceDefinition = {
  kind: 'Pod',
  resource: 'pods',
  description: 'Pod is a group of containers that run together on one node.',
  shortNames: ['po'],
  categories: ['all'],
  status: true,
  statusKeeps: ['ownerReferences'],
  subresources: POD_SUBRESOURCES,
  answersDeleted: true,
  fields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
    // Beyond Kubernetes: the status of the condition Ready.
    'Ready',
  ],
  properties: SPEC_AND_STATUS,
};
