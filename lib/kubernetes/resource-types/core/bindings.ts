import type { ResourceDefinition } from '../define-resource-types.ts';

/** The request of a scheduler. It is not stored, but applied to the pod with the same name. */
export const bindings: ResourceDefinition = {
  kind: 'Binding',
  resource: 'bindings',
  answersFrom: 'visible objects',
  verbs: ['create'],
};
