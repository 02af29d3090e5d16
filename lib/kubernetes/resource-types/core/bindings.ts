import type { ResourceDefinition } from '../define-resource-types.ts';
import { object } from '../schema-fields.ts';

/** What a scheduler says: not stored, but done to the pod of the same name. */
export const bindings: ResourceDefinition = {
  kind: 'Binding',
  resource: 'bindings',
  description: 'Binding says which node a pod is to run on.',
  verbs: ['create'],
  properties: { target: object('The node.') },
};
