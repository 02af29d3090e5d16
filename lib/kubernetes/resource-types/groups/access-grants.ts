import type { ResourceDefinition } from '../define-resource-types.ts';
import { array, object } from '../schema-fields.ts';

const GRANT = {
  builtin: false,
  properties: {
    subjects: array('The users, groups and service accounts that get the rights of the role.'),
    roleRef: object('The role.'),
    labelSelector: object('The objects for which the subjects get the rights of the role.'),
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
    description:
      'AccessGrant gives subjects the rights of a role in its namespace, for objects with matching labels.',
  },
  {
    ...GRANT,
    kind: 'ClusterAccessGrant',
    resource: 'clusteraccessgrants',
    countsGeneration: true,
    decides: 'permissions',
    description:
      'ClusterAccessGrant gives subjects the rights of a role in all namespaces, for objects with matching labels.',
    scope: 'Cluster',
  },
];
