import type { ResourceDefinition } from '../define-resource-types.ts';
import { POD_SUBRESOURCES } from '../subresources.ts';

export const pods: ResourceDefinition = {
  kind: 'Pod',
  resource: 'pods',
  countsGeneration: true,
  carriesSelectors: 'sometimes',
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
};
