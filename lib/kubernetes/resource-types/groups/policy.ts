import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** policy/v1 */
export const policy = defineResourceTypes('policy', 'v1', [
  {
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    description: 'PodDisruptionBudget says how many of the pods it selects may be away at once.',
    shortNames: ['pdb'],
    nameRule: 'path',
    status: true,
    selectors: [{ path: ['spec', 'selector'], kind: 'labelSelector' }],
    properties: SPEC_AND_STATUS,
  },
]);
