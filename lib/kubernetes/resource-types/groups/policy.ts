import { defineResourceTypes } from '../define-resource-types.ts';

/** policy/v1 */
export const policy = defineResourceTypes('policy', 'v1', [
  {
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['pdb'],
    nameRule: 'path',
    status: true,
    selectors: [{ path: ['spec', 'selector'], kind: 'labelSelector' }],
  },
]);
