import type { ResourceDefinition } from '../define-resource-types.ts';
import { object } from '../schema-fields.ts';
import { BINDING } from './rbac.ts';

const GRANT = {
  builtin: false,
  properties: { ...BINDING, labelSelector: object('Of which objects it gives what the role says.') },
} as const;

/** Bindings that grant a role only for the objects that a selector matches. */
export const ACCESS_GRANTS: readonly ResourceDefinition[] = [
  {
    ...GRANT,
    kind: 'AccessGrant',
    resource: 'accessgrants',
    description: 'AccessGrant says who holds a role in its namespace, and of which objects.',
  },
  {
    ...GRANT,
    kind: 'ClusterAccessGrant',
    resource: 'clusteraccessgrants',
    description: 'ClusterAccessGrant says who holds a role everywhere, and of which objects.',
    scope: 'Cluster',
  },
];
