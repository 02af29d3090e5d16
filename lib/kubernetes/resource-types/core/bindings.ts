import type { ResourceDefinition } from '../define-resource-types.ts';
import { object } from '../schema-fields.ts';

/** The request of a scheduler. It is not stored, but applied to the pod with the same name. */
export const bindings: ResourceDefinition = {
  kind: 'Binding',
  resource: 'bindings',
  description: 'Binding says which node a pod is to run on.',
  verbs: ['create'],
  properties: { target: object('The node.') },
};
