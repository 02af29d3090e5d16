import type { ResourceDefinition } from '../define-resource-types.ts';
import { array, object } from '../schema-fields.ts';

const GRANT = {
  builtin: false,
  properties: {
    subjects: array('The subjects of the role.'),
    roleRef: object('The role.'),
    labelSelector: object('Of which objects it gives what the role says.'),
  },
} as const;

/** Bindings that grant a role only for the objects that a selector matches. */
export const ACCESS_GRANTS: readonly ResourceDefinition[] = [
  {
    ...GRANT,
    kind: 'AccessGrant',
    resource: 'accessgrants',
    countsGeneration: true,
    decides: 'permissions',
    description: 'AccessGrant says who holds a role in its namespace, and of which objects.',
  },
  {
    ...GRANT,
    kind: 'ClusterAccessGrant',
    resource: 'clusteraccessgrants',
    countsGeneration: true,
    decides: 'permissions',
    description: 'ClusterAccessGrant says who holds a role everywhere, and of which objects.',
    scope: 'Cluster',
  },
];
