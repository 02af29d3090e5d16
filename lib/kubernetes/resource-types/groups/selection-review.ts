import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** A review of selectors. It is answered and not stored. */
export const SELECTION_REVIEW: ResourceDefinition = {
  kind: 'SelectionReview',
  resource: 'selectionreviews',
  answersFrom: 'visible objects',
  description: 'SelectionReview shows which objects select an object, or would select a planned object.',
  verbs: ['create'],
  scope: 'Cluster',
  builtin: false,
  properties: SPEC_AND_STATUS,
};
