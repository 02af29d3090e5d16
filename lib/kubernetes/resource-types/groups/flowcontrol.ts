import { defineResourceTypes } from '../define-resource-types.ts';

/** flowcontrol.apiserver.k8s.io/v1: inventory. Winnow does not queue requests by priority. */
export const flowcontrol = defineResourceTypes('flowcontrol.apiserver.k8s.io', 'v1', [
  {
    kind: 'FlowSchema',
    resource: 'flowschemas',
    description: 'FlowSchema says which requests belong to a priority level.',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
  {
    kind: 'PriorityLevelConfiguration',
    resource: 'prioritylevelconfigurations',
    description: 'PriorityLevelConfiguration says how many requests of a level are answered at once.',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
]);
