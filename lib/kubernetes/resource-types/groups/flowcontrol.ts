import { defineResourceTypes } from '../define-resource-types.ts';

/** flowcontrol.apiserver.k8s.io/v1: inventory. Winnow does not queue requests by priority. */
export const flowcontrol = defineResourceTypes('flowcontrol.apiserver.k8s.io', 'v1', [
  {
    kind: 'FlowSchema',
    resource: 'flowschemas',
    countsGeneration: true,
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
  {
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    countsGeneration: true,
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
]);
